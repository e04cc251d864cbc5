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

type Verdict = 'apply' | 'reject' | 'unreject';

const done: Record<Verdict, string> = { apply: 'applied', reject: 'rejected', unreject: 'waits again' };

const unaskedFor = 3_600_000; // ms

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
      argument = { change: change.change, revision: change.revision };
    }
    if (reason !== undefined && reason !== '') {
      argument.reason = reason;
    }
    const place = argument.change === undefined ? '' : this.place(argument.change);
    const { changes } = await this.server.execute<ext.Decision>(ext.commands[verdict], argument);
    this.say(verdict, changes.map((c) => c.change), place);
  }

  async rejectWhy(arg: unknown): Promise<void> {
    const change = this.target.change(arg);
    const reason = await typed(`Why not ${change.change}? The agent hears it.`);
    await this.one('reject', { change: change.change, revision: change.revision }, reason);
  }

  /** file decides all that waits in a file. */
  async file(verdict: Verdict, arg: unknown): Promise<void> {
    const file = this.target.file(arg);
    const argument = { uri: file.uri, seq: this.state.changes.seq };
    const { changes } = await this.server.execute<ext.Decision>(ext.commands[verdict], argument);
    this.say(verdict, changes.map((c) => c.change), ` in ${nameOf(file.uri)}`);
  }

  /** selection decides the part of changes that stands on the selected lines. */
  async selection(verdict: Verdict): Promise<void> {
    const { range, changes } = this.target.selected();
    await this.each(verdict, changes, lines(range));
  }

  async picked(verdict: Verdict): Promise<void> {
    await this.each(verdict, this.tree.picked.reverse());
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
    await this.each('apply', changes.reverse());
  }

  /** each decides one after the other, from the last: above a decision no line moves. */
  private async each(verdict: Verdict, changes: ext.Change[], range?: ext.Argument['range']): Promise<void> {
    const letters: string[] = [];
    for (const { change, revision, range: own } of changes) {
      const part = range && own && !covers(range, own) ? { range } : {};
      const decision = await this.server.execute<ext.Decision>(ext.commands[verdict], { change, revision, ...part });
      letters.unshift(...decision.changes.map((c) => c.change));
    }
    this.say(verdict, letters, '');
  }

  async resolve(take: 'mine' | 'agent' | 'ask', arg: unknown): Promise<void> {
    const { change, revision, hash } = this.target.change(arg, (c) => c.state === 'conflict');
    await this.server.execute<ext.Decision>(ext.commands.resolve, { change, revision, hash, take });
  }

  async comment(arg: unknown): Promise<void> {
    const { change } = this.target.change(arg);
    const text = await typed(`About ${change}. The agent hears it with its next step.`);
    if (text !== '') {
      await this.server.execute<ext.Decision>(ext.commands.comment, { change, text });
      vscode.window.setStatusBarMessage(`$(comment) the agent hears your remark about ${change}`, 5000);
    }
  }

  async edit(arg: unknown): Promise<void> {
    const { change, revision } = this.target.change(arg);
    await this.server.execute(ext.commands.edit, { change, revision });
  }

  /** split cuts the selected lines of a change off: they get a letter of their own. */
  async split(): Promise<void> {
    const { range, changes } = this.target.selected();
    for (const { change, revision } of changes) {
      const argument = { change, revision, range: lines(range) };
      const cut = await this.server.execute<{ change: string; new: string }>(ext.commands.split, argument);
      vscode.window.setStatusBarMessage(`$(split-horizontal) ${cut.change} is cut: ${cut.new} has these lines`, 5000);
    }
  }

  async commit(arg: unknown): Promise<void> {
    const argument = drawn(arg) ?? this.all(await this.target.edit(arg, 'Commit'));
    const outcome = await this.server.execute<ext.Outcome>(ext.commands.commit, argument);
    const files = outcome.files ?? [];
    const where = files.length === 1 ? files[0] : draw.count(files.length, 'file');
    const what = `${draw.count(outcome.applied_changes ?? 0, 'change')} in ${where}`;
    this.offerUndo(
      outcome.status === 'committing'
        ? `#${outcome.edit} is being committed.`
        : `#${outcome.edit} is committed: ${what}. ${outcome.hint ?? ''}`,
    );
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

  /** undo takes the latest decision back; an old one, or another editor's, is asked about first. */
  async undo(): Promise<void> {
    const { latest } = this.state.changes;
    if (!latest) {
      throw new Nothing('There is no decision to undo.');
    }
    const { what, letters, by, time, decision } = latest;
    const here = ['', 'terminal', vscode.env.appName].includes(by); // the host does not tell them apart
    if (!here || Date.now() - Date.parse(time) > unaskedFor) {
      const detail = `It was decided in ${by}, ${new Date(time).toLocaleString()}.`;
      const question = `Undo the ${what} of ${letters.join(', ')}?`;
      if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, 'Undo')) === undefined) {
        return;
      }
    }
    const { undone } = await this.server.execute<ext.Undone>(ext.commands.undo, { decision });
    const files = undone.files.length > 0 ? ` in ${undone.files.join(', ')}` : '';
    const back = undone.letters.length > 0 ? `${undone.letters.join(', ')} ${undone.letters.length > 1 ? 'wait' : 'waits'} again` : 'done';
    void vscode.window.showInformationMessage(`The ${undone.what} is undone: ${back}${files}. ${undone.hint ?? ''}`.trim());
  }

  private all(edit: ext.Edit): ext.Argument {
    return { session: edit.session, edit: edit.edit, seq: this.state.changes.seq };
  }

  private place(letter: string): string {
    const found = this.state.find(letter);
    return found ? `: ${nameOf(found.file.uri)}, line ${rangeOf(found.change.range).start.line + 1}` : '';
  }

  private say(verdict: Verdict, letters: string[], where: string): void {
    const text = `${letters.join(', ')} ${done[verdict]}${where}`;
    if (letters.length > 1) {
      this.offerUndo(`${text}.`);
    } else {
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
function lines(range: vscode.Range): NonNullable<ext.Argument['range']> {
  return { start: { line: range.start.line, character: 0 }, end: { line: range.end.line, character: 0 } };
}

function covers(lines: NonNullable<ext.Argument['range']>, own: NonNullable<ext.Change['range']>): boolean {
  return lines.start.line <= own.start.line && own.end.line <= lines.end.line;
}
