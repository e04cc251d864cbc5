// Agent sessions, and what of a conversation goes to the model.
import * as vscode from 'vscode';
import * as ext from './ext';
import { Refusal, type Server } from './server';
import type { Node } from './tree';

export class Sessions {
  constructor(private readonly server: Server) {}

  private async pick(placeHolder: string): Promise<ext.Session> {
    const items = (await this.server.execute<ext.Session[]>(ext.commands.sessions)).map((session) => ({
      label: session.title === '' ? session.session : session.title,
      description: [
        session.current ? 'current' : '',
        session.pending > 0 ? `${session.pending} to decide` : '',
        session.readOnly ?? '',
      ]
        .filter((s) => s !== '')
        .join(', '),
      detail: new Date(session.updated).toLocaleString(),
      session,
    }));
    const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
    if (!picked) {
      throw new vscode.CancellationError();
    }
    return picked.session;
  }

  async open(): Promise<void> {
    const { session } = await this.pick('Which session shall be the current one?');
    await this.server.execute(ext.commands.openSession, { session });
  }

  async begin(): Promise<void> {
    await this.server.execute(ext.commands.newSession, {});
    void vscode.window.showInformationMessage('A new session: what you ask now begins anew.');
  }

  /** named is the session of a line of the tree, or the one that is picked. */
  private async named(arg: unknown, placeHolder: string): Promise<{ session: string; title: string }> {
    return (arg as Partial<Node> | undefined)?.edit ?? (await this.pick(placeHolder));
  }

  async rename(arg: unknown): Promise<void> {
    const { session, title } = await this.named(arg, 'Which session gets another title?');
    const typed = await vscode.window.showInputBox({ value: title, prompt: 'The title of the session' });
    if (typed !== undefined && typed.trim() !== '') {
      await this.server.execute(ext.commands.renameSession, { session, title: typed.trim() });
    }
  }

  async remove(arg: unknown): Promise<void> {
    const { session } = await this.named(arg, 'Which session goes to the trash?');
    const toTrash = (force: boolean): Promise<{ path: string }> =>
      this.server.execute(ext.commands.deleteSession, { session, force });
    const { path } = await toTrash(false).catch(async (err: unknown) => {
      if (!(err instanceof Refusal)) {
        throw err;
      }
      const all = 'Delete All the Same';
      if ((await vscode.window.showWarningMessage(err.message, { modal: true }, all)) !== all) {
        throw new vscode.CancellationError();
      }
      return toTrash(true);
    });
    void vscode.window.showInformationMessage(`The session lies in ${path} now.`);
  }

  async compact(): Promise<void> {
    const targets = [
      { label: 'all', description: 'the conversation, and results of tools' },
      { label: 'conversation', description: 'what was said' },
      { label: 'tools', description: 'results of tools' },
    ] as const;
    const picked = await vscode.window.showQuickPick(targets, { placeHolder: 'What leaves the requests? Nothing is lost.' });
    if (!picked) {
      return;
    }
    const r = await this.server.execute<{ tokens_saved: number; tokens_before: number; tokens_after: number; hint: string }>(
      ext.commands.compact,
      { target: picked.label },
    );
    void vscode.window.showInformationMessage(
      r.tokens_saved > 0
        ? `The next request has ${r.tokens_after} tokens, ${r.tokens_before} before; nothing is lost.`
        : r.hint,
    );
  }

  async unfold(): Promise<void> {
    const r = await this.server.execute<{ messages: number; tokens_before: number; tokens_after: number }>(
      ext.commands.unfold,
      {},
    );
    void vscode.window.showInformationMessage(
      `${r.messages} messages came back; the next request has ${r.tokens_after} tokens, ${r.tokens_before} before.`,
    );
  }
}
