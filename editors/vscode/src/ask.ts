// Asking the agent, and what comes of it: the conversation as it goes on, a toast that can cancel it.
import * as vscode from 'vscode';
import * as conversation from './conversation';
import { drawn } from './decide';
import * as draw from './draw';
import * as ext from './ext';
import { Page } from './page';
import type { Server } from './server';
import { isOver, type RunState, type State } from './state';

const historyKey = 'galley.history';
const mostHistory = 50;

export class Ask implements vscode.Disposable {
  private readonly page: Page;
  private readonly asked = new Map<string, () => void>(); // runs from here that go on, and what tells of them

  constructor(
    private readonly server: Server,
    private readonly state: State,
    private readonly memento: vscode.Memento,
  ) {
    this.page = new Page(state);
    state.on('run', () => {
      for (const tell of [...this.asked.values()]) {
        tell();
      }
    });
  }

  dispose(): void {
    this.page.dispose();
  }

  /** ask asks what a code action brings, or what the user types. The selection goes with it. */
  async ask(arg: unknown, queue: boolean): Promise<void> {
    const given = drawn(arg);
    const place = here(); // before the box takes the focus
    const prompt = given?.prompt ?? (await this.typed(place.range !== undefined));
    if (prompt.trim() === '') {
      return;
    }
    await this.remember(prompt);
    const argument = given?.prompt === undefined ? { ...place, prompt, ...(queue ? { queue } : {}) } : given;
    const { run } = await this.server.execute<{ run: string; session: string }>(ext.commands.ask, argument);
    const known = this.state.runs.find((r) => r.run === run);
    this.state.prompts.set(run, [...(this.state.prompts.get(run) ?? []), prompt]);
    this.state.tell('run');
    if (!this.asked.has(run) && !(known && isOver(known))) {
      this.follow(run);
    }
    if (vscode.workspace.getConfiguration('galley').get<boolean>('show.conversation', true)) {
      await this.page.show();
    }
  }

  async cancel(): Promise<void> {
    const { running } = this.state;
    await this.server.execute(ext.commands.cancel, running && { run: running.run });
  }

  /** show shows the conversation, with what was said before the server was started. */
  async show(): Promise<void> {
    const { session } = this.state.changes;
    if (session !== '' && this.server.isRunning && !this.state.earlier.has(session)) {
      this.state.recall(session, await this.server.execute<ext.Run[]>(ext.commands.runs, { session }));
    }
    await this.page.show();
  }

  /** follow shows a run until it is over. */
  private follow(name: string): void {
    const options = { location: vscode.ProgressLocation.Notification, title: 'Galley', cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => {
        void this.server.execute(ext.commands.cancel, { run: name }).catch(() => undefined); // it is over then
      });
      return new Promise<void>((resolve) => {
        this.asked.set(name, () => {
          const run = this.state.runs.find((r) => r.run === name);
          if (run && !isOver(run)) {
            progress.report({ message: step(run) });
            return;
          }
          this.asked.delete(name);
          resolve();
          if (run) {
            void this.tellEnd(run);
          }
        });
        progress.report({ message: 'thinking' });
      });
    });
  }

  private async tellEnd(run: RunState): Promise<void> {
    const talk = 'Show the Conversation';
    const next = 'Next Change';
    const own = this.state.pending.filter(({ change }) => change.session === run.session);
    const proposed = this.state.changes.edits.some((e) => e.session === run.session && e.state === 'proposed');
    const words = draw.cut(conversation.lastWords(run), 300);
    let button: string | undefined;
    if (run.state === 'failed') {
      button = await vscode.window.showErrorMessage(`The run failed: ${run.error ?? 'no reason was given'}`, talk);
    } else if (run.state === 'done' && !proposed) {
      // of a proposal the server tells by itself
      const waiting = own.length > 0 ? ` ${draw.waiting(own.map((p) => p.change))}.` : '';
      const buttons = own.length > 0 ? [next, talk] : [talk];
      button = await vscode.window.showInformationMessage(`${words || 'Done.'}${waiting}`, ...buttons);
    }
    if (button === next) {
      await vscode.commands.executeCommand('galley.next');
    } else if (button === talk) {
      await this.show();
    }
  }

  private async remember(prompt: string): Promise<void> {
    const before = this.memento.get<string[]>(historyKey, []).filter((p) => p !== prompt);
    await this.memento.update(historyKey, [prompt, ...before].slice(0, mostHistory));
  }

  /** typed is what the user types, or chooses among what was asked before. */
  private typed(selection: boolean): Promise<string> {
    const box = vscode.window.createQuickPick();
    const before = this.memento.get<string[]>(historyKey, []).map((label) => ({ label, iconPath: new vscode.ThemeIcon('history') }));
    const fill = (): void => {
      const own = { label: box.value, description: 'ask this', alwaysShow: true, iconPath: new vscode.ThemeIcon('comment') };
      box.items = box.value.trim() === '' ? before : [own, ...before.filter((b) => b.label !== box.value)];
    };
    box.title = selection ? 'Ask galley about the selection' : 'Ask galley';
    box.placeholder = 'What shall the agent do? Below is what you asked before.';
    box.onDidChangeValue(fill);
    fill();
    box.show();
    return new Promise((resolve, reject) => {
      box.onDidAccept(() => {
        const [picked] = box.selectedItems;
        resolve(picked?.label ?? box.value);
        box.dispose();
      });
      box.onDidHide(() => {
        reject(new vscode.CancellationError()); // settled already, if it was accepted
        box.dispose();
      });
    });
  }
}

/** here is where the user stands: the file, and what is selected in it. */
function here(): ext.Argument {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') {
    return {};
  }
  const uri = editor.document.uri.toString();
  const { start, end, isEmpty } = editor.selection;
  return isEmpty ? { uri } : { uri, range: { start, end } };
}

function step(run: RunState): string {
  const what = run.state === 'tool' ? (run.steps.at(-1)?.calls.at(-1)?.line ?? run.tool ?? 'a tool') : run.state;
  return draw.cut(run.state === 'waiting' ? `waits: ${run.waiting ?? ''}` : what, 120);
}

/** consent asks about a command of the agent's. Whatever is no clear yes is a no. */
export async function consent(question: { text: string; command: string; options: string[] }): Promise<{ answer: string }> {
  const [no, ...others] = question.options;
  const items = [
    ...others.map((title) => ({ title, isCloseAffordance: false })),
    ...(no === undefined ? [] : [{ title: no, isCloseAffordance: true }]),
  ];
  const options = { modal: true, detail: question.command };
  const picked = await vscode.window.showWarningMessage(question.text, options, ...items);
  return { answer: picked?.title ?? no ?? '' };
}

