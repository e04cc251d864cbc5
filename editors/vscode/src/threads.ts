// The changes in the file: each a comment thread under its lines, with the diff and what can be decided in its title.
import * as vscode from 'vscode';
import * as draw from './draw';
import type * as ext from './ext';
import { isShown, nameOf, placeOf } from './places';
import type { State } from './state';

interface Drawn {
  thread: vscode.CommentThread;
  change: ext.Change;
  key: string; // of what is drawn
}

export class Threads implements vscode.Disposable {
  private readonly controller = vscode.comments.createCommentController('galley', 'Galley');
  private readonly drawn = new Map<string, Drawn>();

  constructor(private readonly state: State) {
    state.on('changes', () => this.refresh());
  }

  dispose(): void {
    this.controller.dispose();
  }

  /** changeOf is the change that a thread shows. */
  changeOf(thread: unknown): ext.Change | undefined {
    return [...this.drawn.values()].find((d) => d.thread === thread)?.change;
  }

  refresh(): void {
    const how = vscode.workspace.getConfiguration('galley').get<string>('show.threads');
    const gone = new Set(this.drawn.keys());
    for (const { file, change } of how === 'off' ? [] : this.state.pending) {
      const name = `${file.uri} ${change.session} ${change.edit} ${change.change}`;
      if (change.kind === 'create') {
        continue; // there is no file to show it in; the tree has it
      }
      gone.delete(name);
      if (isShown(file)) {
        this.draw(name, vscode.Uri.parse(file.uri), change, how === 'expanded');
      }
    }
    for (const name of gone) {
      this.drawn.get(name)?.thread.dispose();
      this.drawn.delete(name);
    }
  }

  private draw(name: string, uri: vscode.Uri, change: ext.Change, expanded: boolean): void {
    const place = placeOf(change);
    const key = JSON.stringify([change.revision, change.state, change.by, change.lines, change.conflict, change.rejectedBefore]);
    const known = this.drawn.get(name);
    if (known?.key === key) {
      known.change = change;
      if (!known.thread.range.isEqual(place)) {
        known.thread.range = place;
      }
      return;
    }
    const body = new vscode.MarkdownString(draw.body(change, change.to === undefined ? '' : nameOf(change.to)));
    const comment: vscode.Comment = {
      body,
      mode: vscode.CommentMode.Preview,
      author: { name: draw.proposer(this.state, change) },
      label: draw.standing(change),
    };
    const thread = known?.thread ?? this.controller.createCommentThread(uri, place, []);
    thread.range = place;
    thread.comments = [comment];
    thread.label = draw.summary(change);
    thread.contextValue = change.state;
    thread.canReply = false;
    if (!known) {
      thread.collapsibleState = expanded
        ? vscode.CommentThreadCollapsibleState.Expanded
        : vscode.CommentThreadCollapsibleState.Collapsed;
    }
    this.drawn.set(name, { thread, change, key });
  }

  /** redraw begins anew: a setting is another. */
  redraw(): void {
    for (const { thread } of this.drawn.values()) {
      thread.dispose();
    }
    this.drawn.clear();
    this.refresh();
  }
}
