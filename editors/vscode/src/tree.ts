// The view of what waits: edits > files > letters. Of every session of the workspace, also those that a terminal staged.
import * as vscode from 'vscode';
import * as draw from './draw';
import type * as ext from './ext';
import { folder, nameOf, rangeOf } from './places';
import { isPending, type State } from './state';

/** A line of the tree. Commands get it as their argument. */
export type Node =
  | { kind: 'edit'; edit: ext.Edit }
  | { kind: 'file'; edit: ext.Edit; file: ext.File }
  | { kind: 'change'; edit: ext.Edit; file: ext.File; change: ext.Change };

const icons: Record<ext.Change['kind'], string> = {
  replace: 'edit',
  insert: 'diff-added',
  delete: 'diff-removed',
  create: 'new-file',
  delete_file: 'trash',
  rename: 'diff-renamed',
};

const stateIcons: Partial<Record<ext.State, [string, string]>> = {
  conflict: ['warning', 'list.warningForeground'],
  applied: ['pass', 'charts.green'],
  applying: ['sync', 'charts.green'],
  rejected: ['circle-slash', 'disabledForeground'],
};

export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly view: vscode.TreeView<Node>;
  private readonly folders: vscode.Disposable;
  private readonly checked = new Set<string>(); // keys of changes
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly state: State) {
    this.view = vscode.window.createTreeView('galley.changes', { treeDataProvider: this, showCollapseAll: true });
    this.view.onDidChangeCheckboxState(({ items }) => {
      for (const [node, box] of items) {
        if (node.kind === 'change' && box === vscode.TreeItemCheckboxState.Checked) {
          this.checked.add(key(node.change));
        } else if (node.kind === 'change') {
          this.checked.delete(key(node.change));
        }
      }
      this.tellChecked();
    });
    state.on('changes', () => this.refresh());
    this.folders = vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh());
  }

  dispose(): void {
    this.folders.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  private refresh(): void {
    const { pending } = this.state;
    const there = new Set(pending.map(({ change }) => key(change)));
    for (const name of this.checked) {
      if (!there.has(name)) {
        this.checked.delete(name);
      }
    }
    this.view.badge =
      pending.length === 0 ? undefined : { value: pending.length, tooltip: draw.waiting(pending.map((p) => p.change)) };
    const several = vscode.workspace.workspaceFolders?.length ?? 0;
    this.view.description = several > 1 ? `in ${folder()?.name ?? ''}, the first of ${several} folders` : '';
    this.tellChecked();
    this.changed.fire();
  }

  private tellChecked(): void {
    void vscode.commands.executeCommand('setContext', 'galley.checked', this.checked.size > 0);
  }

  /** picked are the changes whose boxes are checked. */
  get picked(): ext.Change[] {
    return this.state.pending.map(({ change }) => change).filter((change) => this.checked.has(key(change)));
  }

  getChildren(node?: Node): Node[] {
    if (!node) {
      return this.state.changes.edits.map((edit) => ({ kind: 'edit', edit }));
    }
    const { edit } = node;
    const own = this.state.of(edit);
    switch (node.kind) {
      case 'edit':
        return [...new Set(own.map(({ file }) => file))].map((file) => ({ kind: 'file', edit, file }));
      case 'file':
        return own
          .filter(({ file }) => file === node.file)
          .map(({ file, change }) => ({ kind: 'change', edit, file, change }));
      default:
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'edit':
        return this.editItem(node.edit);
      case 'file':
        return fileItem(node);
      default:
        return this.changeItem(node);
    }
  }

  private editItem(edit: ext.Edit): vscode.TreeItem {
    const item = new vscode.TreeItem(draw.edit(this.state, edit), vscode.TreeItemCollapsibleState.Expanded);
    item.id = `${edit.session} ${edit.edit}`;
    item.contextValue = 'edit';
    item.iconPath = new vscode.ThemeIcon(edit.state === 'proposed' ? 'bell-dot' : 'comment-discussion');
    const proposed = edit.state === 'editing' ? [] : [edit.state];
    item.description = [`${edit.pending} to decide`, ...proposed].join(', ');
    item.tooltip = [this.state.title(edit.session), edit.summary].filter((s) => s !== '').join('\n\n');
    return item;
  }

  private changeItem({ file, change }: Node & { kind: 'change' }): vscode.TreeItem {
    const item = new vscode.TreeItem(`${change.change}  ${draw.short(change)}`);
    item.id = `${file.uri} ${key(change)}`;
    item.contextValue = change.state;
    const [icon, colour] = stateIcons[change.state] ?? [icons[change.kind], undefined];
    item.iconPath = new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
    const to = change.to === undefined ? '' : nameOf(change.to);
    const place = draw.wholeFile(change, to) ?? `line ${rangeOf(change.range).start.line + 1}`;
    item.description = [place, draw.standing(change)].filter((s) => s !== '').join(', ');
    item.tooltip = new vscode.MarkdownString(draw.body(change, to));
    item.command = { command: 'galley.open', title: 'Go to Change', arguments: [{ kind: 'change', file, change }] };
    if (isPending(change)) {
      item.checkboxState = this.checked.has(key(change))
        ? vscode.TreeItemCheckboxState.Checked
        : vscode.TreeItemCheckboxState.Unchecked;
    }
    return item;
  }
}

function key(change: ext.Change): string {
  return `${change.session} ${change.edit} ${change.change}`;
}

function fileItem({ edit, file }: Node & { kind: 'file' }): vscode.TreeItem {
  const uri = vscode.Uri.parse(file.uri);
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `${edit.session} ${edit.edit} ${file.uri}`;
  item.contextValue = 'file';
  item.iconPath = vscode.ThemeIcon.File;
  item.description = nameOf(file.uri).split('/').slice(0, -1).join('/');
  return item;
}

/** Marks puts the number of waiting letters at files, in the explorer and wherever files are listed. */
export class Marks implements vscode.FileDecorationProvider {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(private readonly state: State) {
    state.on('changes', () => this.changed.fire(undefined));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const file = this.state.changes.files.find((f) => vscode.Uri.parse(f.uri).toString() === uri.toString());
    const waiting = file?.changes.filter(isPending) ?? [];
    return waiting.length === 0
      ? undefined
      : new vscode.FileDecoration(String(Math.min(waiting.length, 99)), `galley: ${draw.waiting(waiting)}`);
  }
}
