// The extension of galley: it shows what the server says, and sends what the user decides.
import * as vscode from 'vscode';
import { Ask, consent } from './ask';
import { Decide } from './decide';
import { Documents, Proposals } from './documents';
import * as ext from './ext';
import { Refusal, Server } from './server';
import { Sessions } from './sessions';
import { State } from './state';
import { status } from './status';
import { Nothing, Target } from './target';
import { Threads } from './threads';
import { Tint } from './tint';
import { Marks, Tree } from './tree';
import { views } from './views';

let server: Server | undefined;

/** What tests and other extensions may ask. */
export interface Api {
  /** The newest galley/changes. */
  changes(): ext.Changes;
  /** A command of the server's. */
  request(command: string, argument?: ext.Argument): Promise<unknown>;
}

export function activate(context: vscode.ExtensionContext): Api {
  const state = new State();
  const running = new Server(context);
  server = running;
  context.subscriptions.push(...status(running, state)); // first: what is seen can be decided by key
  const threads = new Threads(state);
  const tint = new Tint(state);
  const tree = new Tree(state);
  const target = new Target(state, threads);
  const ask = new Ask(running, state, context.workspaceState);
  const proposals = new Proposals(running, state);
  context.subscriptions.push(
    running,
    threads,
    tint,
    tree,
    ask,
    ...Proposals.schemes.map((scheme) => vscode.workspace.registerTextDocumentContentProvider(scheme, proposals)),
    vscode.window.registerFileDecorationProvider(new Marks(state)),
    ...views(state),
    ...hearing(running, state),
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.restart()),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration('galley.server')) {
        void running.restart();
      }
      if (e.affectsConfiguration('galley.show')) {
        threads.redraw();
        tint.redraw();
      }
    }),
  );
  const decide = new Decide(running, state, target, tree);
  const documents = new Documents(running, state, target);
  const sessions = new Sessions(running);
  register(context, commands(running, ask, decide, documents, sessions));
  void running.start().catch(tell);
  return {
    changes: () => state.changes,
    request: (command, argument) => running.execute(command, argument),
  };
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** hearing takes in what the server says by itself. */
function hearing(running: Server, state: State): vscode.Disposable[] {
  return [
    running.onDidStart((client) => {
      client.onNotification(ext.methods.changes, (m: ext.Changes) => state.putChanges(m));
      client.onNotification(ext.methods.tasks, (m: ext.Tasks) => state.putTasks(m));
      client.onNotification(ext.methods.context, (m: ext.Context) => state.putContext(m));
      client.onNotification(ext.methods.memory, (m: ext.Memory) => state.putMemory(m));
      client.onNotification(ext.methods.run, (m: ext.Run) => void state.putRun(m));
      client.onRequest(ext.methods.question, consent);
      client.onRequest(ext.methods.save, save);
    }),
    running.onDidEnd(() => state.clear()),
  ];
}

/** save saves the documents of a commit, which were as their files are before it. */
async function save({ uris }: { uris: string[] }): Promise<null> {
  const wanted = new Set(uris.map((uri) => vscode.Uri.parse(uri).toString()));
  await Promise.all(vscode.workspace.textDocuments.filter((d) => wanted.has(d.uri.toString())).map((d) => d.save()));
  return null;
}

type Handler = (arg: unknown) => unknown;

function commands(
  running: Server,
  ask: Ask,
  decide: Decide,
  documents: Documents,
  sessions: Sessions,
): Record<string, Handler> {
  return {
    ask: (arg) => ask.ask(arg, false),
    askQueued: () => ask.ask(undefined, true),
    send: () => ask.send(),
    cancel: () => ask.cancel(),
    run: () => ask.show(),

    apply: (arg) => decide.one('apply', arg),
    reject: (arg) => decide.one('reject', arg),
    rejectWhy: (arg) => decide.rejectWhy(arg),
    unreject: (arg) => decide.one('unreject', arg),
    resolve: (arg) => running.execute(ext.commands.resolve, arg as ext.Argument),
    keepMine: (arg) => decide.resolve('mine', arg),
    takeAgents: (arg) => decide.resolve('agent', arg),
    askAgain: (arg) => decide.resolve('ask', arg),
    comment: (arg) => decide.comment(arg),
    applyFile: (arg) => decide.file('apply', arg),
    rejectFile: (arg) => decide.file('reject', arg),
    applySelection: () => decide.selection('apply'),
    rejectSelection: () => decide.selection('reject'),
    applyChecked: () => decide.picked('apply'),
    rejectChecked: () => decide.picked('reject'),
    takeRun: () => decide.takeRun(),
    commit: (arg) => decide.commit(arg),
    revert: (arg) => decide.revert(arg),
    undo: () => decide.undo(),
    edit: (arg) => decide.edit(arg),
    split: () => decide.split(),

    next: () => documents.walk(ext.commands.next),
    previous: () => documents.walk(ext.commands.previous),
    preview: (arg) => documents.preview(arg),
    open: (arg) => documents.open(arg as Parameters<Documents['open']>[0]),
    diff: (arg) => documents.diff(arg),
    review: (arg) => documents.review(arg),
    overview: () => documents.page('overview.md'),
    tasks: () => documents.page('tasks.md'),
    context: () => documents.page('context.md'),
    prompt: () => documents.page('prompt.md'),
    history: () => documents.page('history.md'),
    memory: (arg) => (arg === undefined ? documents.memory() : running.execute(ext.commands.memory, arg as ext.Argument)),
    editMemory: (arg) => documents.editMemory(arg),

    compact: () => sessions.compact(),
    unfold: () => sessions.unfold(),
    sessions: () => sessions.open(),
    newSession: () => sessions.begin(),
    renameSession: (arg) => sessions.rename(arg),
    deleteSession: (arg) => sessions.remove(arg),

    restart: () => running.restart(),
    stop: () => running.stop(),
    showLog: () => running.showLog(),
    showTrace: () => running.showTrace(),
  };
}

/** quick are pressed one right behind the other: each begins where the one before has led. */
const quick = ['next', 'previous', 'apply', 'reject'];

/** unpressed is the argument of a call that no key made, which does nothing. VS Code holds the first call of each command
 * back until extensions were told of it, and lets a later key pass whose command they know: so they know all of these. */
const unpressed = {};

function register(context: vscode.ExtensionContext, table: Record<string, Handler>): void {
  let last: Promise<void> = Promise.resolve();
  for (const [name, handler] of Object.entries(table)) {
    const run = async (arg: unknown): Promise<void> => {
      if (arg === unpressed) {
        return;
      }
      try {
        await handler(arg);
      } catch (err) {
        void tell(err); // whoever called need not wait until it is read
      }
    };
    const inTurn = (arg: unknown): Promise<void> => (last = last.then(() => run(arg)));
    context.subscriptions.push(vscode.commands.registerCommand(`galley.${name}`, quick.includes(name) ? inTurn : run));
  }
  for (const name of quick) {
    void vscode.commands.executeCommand(`galley.${name}`, unpressed);
  }
}

/** tell says why a command was not carried out. */
async function tell(err: unknown): Promise<void> {
  if (err instanceof vscode.CancellationError) {
    return; // the user knows
  }
  if (err instanceof Nothing) {
    void vscode.window.showInformationMessage(err.message);
  } else if (err instanceof Refusal) {
    const show = 'Preview';
    const buttons = err.code === 'not_shown' ? [show] : [];
    const button = await vscode.window.showWarningMessage(err.message, ...buttons);
    if (button === show) {
      await vscode.commands.executeCommand('galley.preview');
    }
  } else {
    void vscode.window.showErrorMessage(`galley: ${String(err)}`);
  }
}
