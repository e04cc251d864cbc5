// What the user decides. Each is a command of the server's, with what was seen: the revision of a letter, or the number of
// the message. The server says whether it still holds.
import * as vscode from 'vscode';
import * as draw from './draw';
import * as ext from './ext';
import { nameOf, rangeOf } from './places';
import type { Server } from './server';
import { isPending, type State } from './state';
import { Nothing, type Target } from './target';
import type { Tree } from './tree';

type Lines = NonNullable<ext.Argument['range']>;
type Verdict = 'apply' | 'reject' | 'unreject';

const done: Record<Verdict, string> = { apply: 'applied', reject: 'rejected', unreject: 'waits again' };


export class Decide {
  constructor(
    private readonly server: Server,
    private readonly state: State,
    private readonly target: Target,
    private readonly tree: Tree,
  ) {}

  /** one decides a change. A lens comes with what it was drawn from, which goes to the server as it is. */
  async one(verdict: Verdict, arg: unknown, reason?: string): Promise<void> {
    let argument = drawn(arg);
    if (!argument) {
      const wanted = verdict === 'unreject' ? (c: ext.Change) => c.state === 'rejected' : isPending;
      const change = this.target.change(arg, wanted);
      argument = choice(change);
    }
    if (reason !== undefined && reason !== '') {
      argument.reason = reason;
    }
    const place = argument.change === undefined ? '' : this.place(argument.change);
    const { changes } = await this.server.execute<ext.Decision>(ext.commands[verdict], argument);
    this.say(verdict, changes, place);
  }

  async rejectWhy(arg: unknown): Promise<void> {
    const change = this.target.change(arg);
    const reason = await typed(`Why not ${change.change}? The agent hears it.`);
    await this.one('reject', choice(change), reason);
  }

  /** file decides all that waits in a file. */
  async file(verdict: Verdict, arg: unknown): Promise<void> {
    const file = this.target.file(arg);
    const argument = { uri: file.uri, seq: this.state.changes.seq };
    const { changes } = await this.server.execute<ext.Decision>(ext.commands[verdict], argument);
    this.say(verdict, changes, ` in ${nameOf(file.uri)}`);
  }

  /** selection decides the part of changes that stands on the selected lines. */
  async selection(verdict: Verdict): Promise<void> {
    const { range, changes } = this.target.selected();
    await this.each(verdict, changes, lines(range));
  }

  async picked(verdict: Verdict): Promise<void> {
    await this.several(verdict, this.tree.picked);
  }

  /** takeRun applies all that the last run staged. */
  async takeRun(): Promise<void> {
    const run = this.state.runs.at(-1);
    const letters = run?.steps.flatMap(({ calls }) => calls.flatMap((call) => call.letters ?? [])) ?? [];
    const changes = this.state.pending
      .map(({ change }) => change)
      .filter((c) => c.session === run?.session && c.state === 'staged' && letters.includes(c.change));
    if (changes.length === 0) {
      throw new Nothing('No change of the last run waits.');
    }
    await this.several('apply', changes);
  }

  /** several are one decision. */
  private async several(verdict: Verdict, all: ext.Change[]): Promise<void> {
    const argument = { changes: all.map((c) => c.change), seq: this.state.changes.seq };
    const { changes } = await this.server.execute<ext.Decision>(ext.commands[verdict], argument);
    this.say(verdict, changes, '');
  }

  /** each decides one after the other, from the last: above a decision no line moves. */
  private async each(verdict: Verdict, changes: ext.Change[], range: Lines): Promise<void> {
    for (const change of changes) {
      const part = change.range && !covers(range, change.range) ? { range } : {};
      await this.one(verdict, { ...choice(change), ...part });
    }
  }

  async resolve(take: 'mine' | 'agent' | 'ask', arg: unknown): Promise<void> {
    const change = this.target.change(arg, (c) => c.state === 'conflict');
    await this.server.execute<ext.Decision>(ext.commands.resolve, { ...choice(change), hash: change.hash, take });
  }

  async comment(arg: unknown): Promise<void> {
    const { change } = this.target.change(arg);
    const text = await typed(`About ${change}. The agent hears it with its next step.`);
    if (text !== '') {
      await this.server.execute<ext.Decision>(ext.commands.comment, { change, text });
      const told = `The agent hears your remark about ${change} with its next step.`;
      const now = 'Send Now';
      if ((await vscode.window.showInformationMessage(told, ...(this.state.running ? [] : [now]))) === now) {
        await vscode.commands.executeCommand('galley.send');
      }
    }
  }

  async edit(arg: unknown): Promise<void> {
    await this.server.execute(ext.commands.edit, choice(this.target.change(arg)));
  }

  /** split cuts the selected lines of a change off: they get a letter of their own. */
  async split(): Promise<void> {
    const { range, changes } = this.target.selected();
    for (const change of changes) {
      const argument = { ...choice(change), range: lines(range) };
      const cut = await this.server.execute<{ change: string; new: string }>(ext.commands.split, argument);
      vscode.window.setStatusBarMessage(`$(split-horizontal) ${cut.change} is cut: ${cut.new} has these lines`, 5000);
    }
  }

  async commit(arg: unknown): Promise<void> {
    const argument = drawn(arg) ?? this.all(await this.target.edit(arg, 'Commit'));
    const { seq } = this.state.changes;
    const outcome = await this.server.execute<ext.Outcome>(ext.commands.commit, argument);
    const own = this.state.of(outcome).filter(({ change }) => change.state !== 'rejected');
    if (outcome.status === 'committing' && !(await this.closed(outcome, seq))) {
      return; // the server says why
    }
    const names = outcome.files ?? [...new Set(own.map(({ file }) => file.path))];
    const [only] = names;
    const where = names.length === 1 && only !== undefined ? only : draw.count(names.length, 'file');
    const what = draw.count(outcome.applied_changes || own.length, 'change');
    this.offerUndo(`#${outcome.edit} is committed: ${what} in ${where}. ${outcome.hint ?? ''}`);
  }

  /** closed waits until a commit whose text is on its way is over, and says whether the edit is closed by it. */
  private closed(of: ext.Outcome, seq: number): Promise<boolean> {
    return new Promise((resolve) => {
      const look = (): void => {
        const edit = this.state.changes.edits.find((e) => e.session === of.session && e.edit === of.edit);
        if (this.state.changes.seq > seq && edit?.state !== 'committing') {
          resolve(edit === undefined);
          forget();
        }
      };
      const forget = this.state.on('changes', look);
      look();
    });
  }

  /** revert asks before two letters or more go. */
  async revert(arg: unknown): Promise<void> {
    const given = drawn(arg);
    const edit = given
      ? this.state.changes.edits.find((e) => e.session === given.session && e.edit === given.edit)
      : await this.target.edit(arg, 'Revert');
    const argument = given ?? (edit ? this.all(edit) : {});
    const own = (edit ? this.state.of(edit) : []).map(({ change }) => change);
    const going = own.filter(isPending).length;
    const applied = own.filter((change) => change.state === 'applied').length;
    if (going > 1 || applied > 0) {
      const revert = 'Revert';
      const all = 'Revert, Applied Ones Too';
      const question = `Revert ${draw.count(going, 'change')} of "${edit ? draw.edit(this.state, edit) : ''}"?`;
      const detail = applied > 0 ? `${draw.count(applied, 'applied change')} can stay, or be taken back, too.` : '';
      const buttons = applied > 0 ? [revert, all] : [revert];
      const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
      if (answer === undefined) {
        return;
      }
      argument.includeApplied = answer === all;
    }
    const outcome = await this.server.execute<ext.Outcome>(ext.commands.revert, argument);
    this.offerUndo(
      outcome.status === 'reverting'
        ? `#${outcome.edit}: what was applied is being taken back.`
        : `#${outcome.edit} is reverted. ${outcome.hint ?? ''}`,
    );
  }

  /** undo takes the latest decision back; the server knows where to ask first. */
  async undo(): Promise<void> {
    const { latest } = this.state.changes;
    if (!latest) {
      throw new Nothing('There is no decision to undo.');
    }
    const decision = latest.decision;
    let answer = await this.server.execute<ext.Undone>(ext.commands.undo, { decision, ask: true });
    if (answer.question !== undefined) {
      if ((await vscode.window.showWarningMessage(answer.question, { modal: true }, 'Undo')) === undefined) {
        return;
      }
      answer = await this.server.execute<ext.Undone>(ext.commands.undo, { decision });
    }
    void vscode.window.showInformationMessage(`Galley: ${answer.undone?.said ?? ''}`);
  }

  private all(edit: ext.Edit): ext.Argument {
    return { session: edit.session, edit: edit.edit, seq: this.state.changes.seq };
  }

  private place(letter: string): string {
    const found = this.state.find(letter);
    return found ? `: ${nameOf(found.file.uri)}, line ${rangeOf(found.change.range).start.line + 1}` : '';
  }

  /** say says what was done, of changes that the editor refused the server does. */
  private say(verdict: Verdict, changes: ext.Decision['changes'], where: string): void {
    const letters = changes.filter((c) => verdict !== 'apply' || c.state !== 'staged').map((c) => c.change);
    const text = `${letters.join(', ')} ${done[verdict]}${where}`;
    if (letters.length > 1) {
      this.offerUndo(`${text}.`);
    } else if (letters.length > 0) {
      vscode.window.setStatusBarMessage(`$(check) ${text}`, 5000);
    }
  }

  private offerUndo(text: string): void {
    void vscode.window.showInformationMessage(text.trim(), 'Undo').then((button) => {
      if (button !== undefined) {
        void vscode.commands.executeCommand('galley.undo');
      }
    });
  }
}

/** choice is what a decision about a change says of it: which one was seen. */
function choice({ change, revision, session, edit }: ext.Change): ext.Argument {
  return { change, revision, session, edit };
}

/** drawn is the argument that a lens or a code action was drawn with. */
export function drawn(arg: unknown): ext.Argument | undefined {
  if (typeof arg !== 'object' || arg === null || 'kind' in arg) {
    return undefined;
  }
  const { change, edit, prompt, uri } = arg as Record<string, unknown>;
  const known = typeof change === 'string' || typeof edit === 'number' || typeof prompt === 'string' || typeof uri === 'string';
  return known ? { ...(arg as ext.Argument) } : undefined;
}

async function typed(prompt: string): Promise<string> {
  const text = await vscode.window.showInputBox({ prompt });
  if (text === undefined) {
    throw new vscode.CancellationError();
  }
  return text.trim();
}

/** lines are whole lines, as the server counts them. */
function lines(range: vscode.Range): Lines {
  return { start: { line: range.start.line, character: 0 }, end: { line: range.end.line, character: 0 } };
}

function covers(lines: Lines, own: NonNullable<ext.Change['range']>): boolean {
  return lines.start.line <= own.start.line && own.end.line <= lines.end.line;
}
