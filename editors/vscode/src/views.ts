// The views below the changes: tasks, files of the working memory, what the context holds.
import * as vscode from 'vscode';
import { pageOf } from './documents';
import type * as ext from './ext';
import * as draw from './draw';
import type { Kind, State } from './state';

/** Lines is a tree of lines that are made anew with each message of a kind. */
abstract class Lines<N> implements vscode.TreeDataProvider<N> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    protected readonly state: State,
    kind: Kind,
  ) {
    state.on(kind, () => this.changed.fire());
  }

  abstract getChildren(node?: N): N[];
  abstract getTreeItem(node: N): vscode.TreeItem;
}

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

const taskIcons: Record<ext.Task['state'], string> = {
  waiting: 'circle-outline',
  active: 'play-circle',
  completed: 'pass',
  reverted: 'circle-slash',
};

class Tasks extends Lines<ext.Task> {
  getChildren(task?: ext.Task): ext.Task[] {
    return task ? task.children : (this.state.tasks?.tree ?? []);
  }

  getTreeItem(task: ext.Task): vscode.TreeItem {
    const item = new vscode.TreeItem(`#${task.id} ${task.goal}`, task.children.length > 0 ? Expanded : None);
    item.id = String(task.id);
    item.iconPath = new vscode.ThemeIcon(taskIcons[task.state]);
    item.description = [task.changes.join(' '), task.state].filter((s) => s !== '').join(', ');
    item.tooltip = [task.goal, task.summary].filter((s) => s !== '').join('\n\n');
    return item;
  }
}

class Memory extends Lines<ext.Memory | string> {
  getChildren(folder?: ext.Memory | string): (ext.Memory | string)[] {
    const files = [...this.state.memory.values()].sort((a, b) => a.path.localeCompare(b.path));
    if (typeof folder === 'string') {
      return files.filter(({ path }) => path.startsWith(folder));
    }
    const folders = ['detail/', 'archive/'].filter((name) => files.some(({ path }) => path.startsWith(name)));
    return [...files.filter(({ path }) => !path.includes('/')), ...folders];
  }

  getTreeItem(node: ext.Memory | string): vscode.TreeItem {
    if (typeof node === 'string') {
      return new vscode.TreeItem(node, Collapsed);
    }
    const item = new vscode.TreeItem(node.path.replace(/^[a-z]+\//, ''));
    item.id = node.path;
    item.contextValue = 'memory';
    item.iconPath = new vscode.ThemeIcon('file');
    item.description = `${node.size} bytes`;
    item.command = { command: 'vscode.open', title: 'Open', arguments: [pageOf(node.path)] };
    return item;
  }
}

interface Part {
  name: string;
  tokens: number;
}

class Context extends Lines<Part> {
  getChildren(part?: Part): Part[] {
    const { context } = this.state;
    return part || !context
      ? []
      : Object.entries(context.categories)
          .filter(([, tokens]) => tokens > 0)
          .map(([name, tokens]) => ({ name, tokens }));
  }

  getTreeItem({ name, tokens }: Part): vscode.TreeItem {
    const item = new vscode.TreeItem(name);
    const max = this.state.context?.tokensMax ?? 0;
    item.description = `${draw.meter(tokens, max)} ${tokens.toLocaleString('en')}`;
    item.command = { command: 'galley.context', title: 'Open Context' };
    return item;
  }
}

/** views shows them, and what they say on top. */
export function views(state: State): vscode.Disposable[] {
  const context = vscode.window.createTreeView('galley.context', { treeDataProvider: new Context(state, 'context') });
  state.on('context', () => {
    context.description = state.context ? draw.full(state.context) : '';
  });
  return [
    context,
    vscode.window.createTreeView('galley.tasks', { treeDataProvider: new Tasks(state, 'tasks') }),
    vscode.window.createTreeView('galley.memory', { treeDataProvider: new Memory(state, 'memory') }),
  ];
}
