// Documents of the server's, walking from change to change, and files beside what is proposed for them. The client of the
// protocol brings their text and refreshes it.
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { drawn } from './decide';
import * as draw from './draw';
import * as ext from './ext';
import { nameOf, rangeOf } from './places';
import type { Server } from './server';
import { isPending, type State } from './state';
import { Nothing, type Target } from './target';
import type { Node } from './tree';

/** pageOf is a document of a session. */
export function pageOf(name: string, session: string = ext.current): vscode.Uri {
  return vscode.Uri.from({ scheme: ext.scheme, path: posix.join('/sessions', session, name) });
}

const proposals = 'galley-proposed';
const texts = 'galley-current'; // of files as they are, without the threads that stand in them

/** proposed is the text of a file as the changes of a session would make it: with the file's own path, so that VS Code
 * takes it for the same file. */
function proposed(file: ext.File, session: string): vscode.Uri {
  return vscode.Uri.parse(file.uri).with({ scheme: proposals, query: pageOf(posix.join('files', file.path), session).path });
}

/** Proposals brings these texts: each is a page of the server's. */
export class Proposals implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  static readonly schemes = [proposals, texts];

  constructor(
    private readonly server: Server,
    state: State,
  ) {
    state.on('changes', () => {
      for (const { uri } of vscode.workspace.textDocuments.filter((d) => Proposals.schemes.includes(d.uri.scheme))) {
        this.changed.fire(uri);
      }
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return uri.scheme === texts
      ? (await vscode.workspace.openTextDocument(uri.with({ scheme: 'file' }))).getText()
      : this.server.text(vscode.Uri.from({ scheme: ext.scheme, path: uri.query }));
  }
}

async function show(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(uri, { preview: true });
}

export class Documents {
  constructor(
    private readonly server: Server,
    private readonly state: State,
    private readonly target: Target,
  ) {}

  page(name: string): Promise<void> {
    return show(pageOf(name));
  }

  /** walk goes to the next change, or to the one before: over all files, and around. The server shows it;
   * it is over when the cursor is there. */
  async walk(command: typeof ext.commands.next | typeof ext.commands.previous): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const here =
      editor?.document.uri.scheme === 'file'
        ? { uri: editor.document.uri.toString(), position: editor.selection.active }
        : {};
    const listeners: vscode.Disposable[] = [];
    const shown = new Promise<void>((resolve) => {
      listeners.push(this.server.onDidShow(resolve), this.server.onDidEnd(resolve));
    });
    try {
      await this.server.execute<ext.Next>(command, here);
      await shown;
    } finally {
      for (const listener of listeners) {
        listener.dispose();
      }
    }
  }

  async preview(arg: unknown): Promise<void> {
    const node = arg as Partial<Node> | undefined;
    if (node?.kind === 'edit' && node.edit) {
      const { session, edit } = node.edit;
      await this.server.execute(ext.commands.preview, { session, edit, format: 'diff' });
      return;
    }
    const change = drawn(arg)?.change ?? this.target.change(arg, () => true).change;
    await this.server.execute(ext.commands.preview, { change, format: 'diff' });
  }

  /** open goes to a change; to a file that is not there yet as it would be. */
  async open({ file, change }: { file: ext.File; change: ext.Change }): Promise<void> {
    if (change.kind === 'create' && change.state !== 'applied') {
      return show(proposed(file, change.session));
    }
    const { start } = rangeOf(change.range);
    const selection = new vscode.Range(start, start);
    await vscode.window.showTextDocument(vscode.Uri.parse(file.uri), { selection, preview: true });
  }

  /** diff shows a file beside what is proposed for it. */
  async diff(arg: unknown): Promise<void> {
    const file = this.target.file(arg);
    const node = arg as Partial<Node> | undefined;
    const session = node?.edit?.session ?? file.changes.find(isPending)?.session ?? ext.current;
    const [, original, modified] = pair(file, session);
    const title = `${nameOf(file.uri)} (proposed)`;
    if (original && modified) {
      await vscode.commands.executeCommand('vscode.diff', original, modified, title);
    } else {
      await show(original ?? modified ?? vscode.Uri.parse(file.uri));
    }
  }

  /** review shows all files of a session beside what is proposed for them, in one editor. */
  async review(arg: unknown): Promise<void> {
    const edit = await this.target.edit(arg, 'Review');
    const files = new Set(
      this.state
        .of(edit)
        .filter(({ change }) => isPending(change))
        .map(({ file }) => file),
    );
    if (files.size === 0) {
      throw new Nothing('Nothing of it waits for a decision.');
    }
    const pairs = [...files].map((file) => {
      const [name, original, modified] = pair(file, edit.session);
      return [name, original?.with({ scheme: texts }), modified];
    });
    await vscode.commands.executeCommand('vscode.changes', draw.edit(this.state, edit), pairs);
  }

  /** memory opens one of the files of the working memory. */
  async memory(): Promise<void> {
    const items = [...this.state.memory.values()].map(({ path, size }) => ({ label: path, description: `${size} bytes` }));
    const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Which file of the working memory?' });
    if (picked) {
      await show(pageOf(picked.label));
    }
  }

  /** editMemory opens the real file behind a page of the working memory. */
  async editMemory(arg: unknown): Promise<void> {
    const uri = arg instanceof vscode.Uri ? arg : undefined;
    const found = /^\/sessions\/([^/]+)\/(.+)$/.exec(uri?.path ?? '');
    const path = found?.[2] ?? (arg as Partial<ext.Memory> | undefined)?.path;
    if (path === undefined) {
      throw new Nothing('This is no file of the working memory.');
    }
    const session = found?.[1] ?? ext.current;
    await this.server.execute(ext.commands.memory, { session, path });
  }
}

/** pair is what the multi-diff editor shows of a file: its name, the file, and what it would be. */
function pair(file: ext.File, session: string): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] {
  const uri = vscode.Uri.parse(file.uri);
  const kinds = file.changes.filter((c) => c.session === session && isPending(c)).map((c) => c.kind);
  return [
    uri,
    kinds.includes('create') ? undefined : uri,
    kinds.includes('delete_file') ? undefined : proposed(file, session),
  ];
}
