// What the user means: what a menu was opened on, else the change at the cursor, else the only one there is.
import * as vscode from 'vscode';
import * as draw from './draw';
import type * as ext from './ext';
import { at, fileBehind, fileOf, rangeOf } from './places';
import { isPending, type State } from './state';
import type { Threads } from './threads';
import type { Node } from './tree';

/** Nothing says that there is nothing to do, and why. */
export class Nothing extends Error {}

export class Target {
  constructor(
    private readonly state: State,
    private readonly threads: Threads,
  ) {}

  /** change is the one that is meant, as it was shown. */
  change(arg: unknown, wanted: (change: ext.Change) => boolean = isPending): ext.Change {
    const node = arg as Partial<Node & { kind: 'change' }> | undefined;
    const named = this.threads.changeOf(arg) ?? (typeof node?.change === 'object' ? node.change : undefined);
    if (named) {
      return named;
    }
    const editor = vscode.window.activeTextEditor;
    const diff = /\/changes\/\d+\/([A-Z])\.diff$/.exec(editor?.document.uri.path ?? '')?.[1];
    const here =
      diff === undefined
        ? editor && at(this.state, editor.document.uri, editor.selection.active, wanted)
        : this.state.find(diff);
    const all = this.state.all.filter(({ change }) => wanted(change));
    const found = here ?? (all.length === 1 ? all[0] : undefined);
    if (!found) {
      throw new Nothing(
        all.length === 0
          ? 'There is no such change.'
          : `No change on this line. "Galley: Next Change" goes to the next of ${all.length}.`,
      );
    }
    return found.change;
  }

  /** edit is the one that is meant: one is chosen where there are several. */
  async edit(arg: unknown, verb: string): Promise<ext.Edit> {
    const named = (arg as Partial<Node> | undefined)?.edit;
    if (typeof named === 'object') {
      return named;
    }
    const { edits } = this.state.changes;
    const [first] = edits;
    if (!first) {
      throw new Nothing('No edit is open.');
    }
    if (edits.length === 1) {
      return first;
    }
    const items = edits.map((edit) => ({
      label: draw.edit(this.state, edit),
      description: `${edit.pending} to decide`,
      detail: edit.summary,
      edit,
    }));
    const picked = await vscode.window.showQuickPick(items, { placeHolder: `${verb} which?` });
    if (!picked) {
      throw new vscode.CancellationError();
    }
    return picked.edit;
  }

  /** file is the one that a menu was opened on, or the current one. */
  file(arg: unknown): ext.File {
    const node = arg as Partial<Node & { kind: 'file' }> | vscode.Uri | undefined;
    if (node && 'file' in node && typeof node.file === 'object') {
      return node.file;
    }
    const uri = node instanceof vscode.Uri ? node : vscode.window.activeTextEditor?.document.uri;
    const file = fileOf(this.state, fileBehind(uri));
    if (!file?.changes.some(isPending)) {
      throw new Nothing('Nothing in this file waits for a decision.');
    }
    return file;
  }

  /** selected are the changes on the selected lines, those behind first: above a decision no line moves. */
  selected(): { range: vscode.Range; changes: ext.Change[] } {
    const editor = vscode.window.activeTextEditor;
    const file = fileOf(this.state, editor?.document.uri);
    const range = editor?.selection ?? new vscode.Range(0, 0, 0, 0);
    const changes = (file?.changes ?? []).filter((change) => {
      const { start, end } = rangeOf(change.range);
      return change.state === 'staged' && start.line <= range.end.line && end.line >= range.start.line;
    });
    if (changes.length === 0) {
      throw new Nothing('No change on these lines.');
    }
    return { range, changes: changes.reverse() };
  }
}
