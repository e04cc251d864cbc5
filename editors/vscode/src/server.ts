// The server's process, and the client that speaks with it.
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import {
  type ClientCapabilities,
  ErrorAction,
  ExecuteCommandRequest,
  type FeatureState,
  LanguageClient,
  type LanguageClientOptions,
  ResponseError,
  type ServerCapabilities,
  State,
  type StaticFeature,
  TextDocumentContentRequest,
} from 'vscode-languageclient/node';
import * as binary from './binary';
import { applied } from './edits';
import * as ext from './ext';
import { folder } from './places';
import * as settings from './settings';

const install = vscode.Uri.parse('https://github.com/galley-ls/galley#readme');

/** Refusal is what the server says of a command that it does not carry out. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly stale: boolean,
  ) {
    super(message);
  }
}

/**
 * Own says what this client can do, and keeps the server's commands from being registered twice: they are this
 * extension's, which come with a change or a place where the user names none, and stay when the server stops.
 */
class Own implements StaticFeature {
  offered: string[] = [];

  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { galley: { notifications: true, draws: true, save: true, exact: true, questions: true } };
    if (capabilities.window) {
      capabilities.window.workDoneProgress = false; // runs are shown with what they do, and can be cancelled there
    }
  }

  preInitialize(capabilities: ServerCapabilities): void {
    this.offered = capabilities.executeCommandProvider?.commands ?? [];
    delete capabilities.executeCommandProvider;
  }

  initialize(): void {
    // nothing is registered
  }

  getState(): FeatureState {
    return { kind: 'static' };
  }

  clear(): void {
    // nothing was registered
  }
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly output: vscode.LogOutputChannel;
  private readonly trace: vscode.LogOutputChannel;
  private readonly started = new vscode.EventEmitter<LanguageClient>();
  private readonly ran = new vscode.EventEmitter<void>();
  private readonly shown = new vscode.EventEmitter<void>();
  private readonly ended = new vscode.EventEmitter<void>();
  private queue: Promise<void> = Promise.resolve();

  /** onDidStart comes with a client that is about to start: who wants to hear of its messages says so to it. */
  readonly onDidStart = this.started.event;
  /** onDidRun says that it has started. */
  readonly onDidRun = this.ran.event;
  /** onDidShow says that a document is there which the server wanted to be seen. */
  readonly onDidShow = this.shown.event;
  /** onDidEnd says that what the server said is not so any more. */
  readonly onDidEnd = this.ended.event;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.output = vscode.window.createOutputChannel('Galley', { log: true });
    this.trace = vscode.window.createOutputChannel('Galley Trace', { log: true });
  }

  dispose(): void {
    for (const d of [this.output, this.trace, this.started, this.ran, this.shown, this.ended]) {
      d.dispose();
    }
  }

  get isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  private get logFile(): vscode.Uri {
    return vscode.Uri.joinPath(this.context.logUri, 'galley.log');
  }

  /** start starts the server, if there is a folder to work in. Whatever is in the way is told. */
  start(): Promise<void> {
    return this.inTurn(() => this.launch());
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.halt());
  }

  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.halt();
      await this.launch();
    });
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step, step);
    return this.queue;
  }

  private async launch(): Promise<void> {
    const where = folder();
    if (this.client || !where) {
      return;
    }
    const config = vscode.workspace.getConfiguration(ext.section);
    const setting = config.get<string>('server.path', '').trim();
    const command = binary.find({
      setting,
      bundled: vscode.Uri.joinPath(this.context.extensionUri, 'bin').fsPath,
      path: process.env['PATH'] ?? '',
      home: homedir(),
      go: { bin: process.env['GOBIN'], path: process.env['GOPATH'] },
      windows: process.platform === 'win32',
    });
    if (command === undefined) {
      this.missing(
        setting === ''
          ? 'The program galley is not on the PATH, and this build of the extension has none in it.'
          : `${setting}, which the setting galley.server.path names, is no program.`,
      );
      return;
    }
    await vscode.workspace.fs.createDirectory(this.context.logUri);
    const args = ['serve', '--log-file', this.logFile.fsPath, ...config.get<string[]>('server.arguments', [])];
    const environment = config.get<Record<string, string>>('server.environment', {});
    const own = new Own();
    const client = new LanguageClient(
      ext.section,
      'Galley',
      { command, args, options: { cwd: where.uri.fsPath, env: { ...process.env, ...environment } } },
      this.options(),
    );
    const usual = client.createDefaultErrorHandler();
    client.clientOptions.errorHandler = {
      // The usual one ends for good when four messages met a server that has died, before its end was heard of.
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => usual.closed(),
    };
    client.registerFeature(own);
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) {
        this.ended.fire();
      } else if (newState === State.Running) {
        this.ran.fire();
      }
    });
    this.client = client;
    this.started.fire(client);
    this.output.info(`starting ${command} ${args.join(' ')}`);
    try {
      await client.start();
    } catch (err) {
      await this.halt();
      this.missing(`galley did not start: ${String(err)}`, 'Show Log');
      return;
    }
    const lacking = binary.lacking(Object.values(ext.commands), own.offered);
    if (lacking.length > 0) {
      await this.halt();
      const version = client.initializeResult?.serverInfo?.version ?? 'of an unknown version';
      this.missing(`${command} (${version}) is too old for this extension: it lacks ${lacking.join(', ')}.`);
    }
  }

  private options(): LanguageClientOptions {
    const all = settings.names(this.context.extension.packageJSON as Parameters<typeof settings.names>[0]);
    const given = (): Record<string, unknown> => {
      const config = vscode.workspace.getConfiguration(ext.section, folder()?.uri);
      return settings.given(all, (name) => config.inspect(name));
    };
    return {
      documentSelector: [{ scheme: 'file' }, { scheme: ext.scheme }],
      initializationOptions: () => ({ ...given(), trusted: vscode.workspace.isTrusted }),
      outputChannel: this.output,
      traceOutputChannel: this.trace,
      markdown: { isTrusted: false },
      middleware: {
        window: {
          showDocument: async (params, token, next) => {
            const start = params.selection?.start; // nothing is selected, which typing would replace
            const result = await next(start ? { ...params, selection: { start, end: start } } : params, token);
            this.shown.fire();
            return result;
          },
        },
        workspace: {
          handleApplyEdit: (params, next) =>
            applied(params, async (rest) => {
              const result = await next(rest, new vscode.CancellationTokenSource().token);
              if (result instanceof ResponseError) {
                throw result;
              }
              return result;
            }),
          configuration: (params, token, next) =>
            params.items.every((item) => item.section === ext.section) ? params.items.map(given) : next(params, token),
          didChangeConfiguration: () =>
            this.client?.sendNotification('workspace/didChangeConfiguration', {
              settings: { [ext.section]: given() },
            }) ?? Promise.resolve(),
        },
      },
    };
  }

  private async halt(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (err) {
      this.output.warn(`the server did not stop in order: ${String(err)}`);
    }
    this.ended.fire();
  }

  private missing(problem: string, ...more: 'Show Log'[]): void {
    this.output.error(problem);
    const settingsButton = 'Open Settings';
    const get = 'Get galley';
    void vscode.window.showErrorMessage(problem, get, settingsButton, ...more).then((button) => {
      switch (button) {
        case get:
          return vscode.env.openExternal(install);
        case settingsButton:
          return vscode.commands.executeCommand('workbench.action.openSettings', 'galley.server');
        case 'Show Log':
          return this.showLog();
        default:
          return undefined;
      }
    });
  }

  /** execute runs a command of the server's. What it refuses comes as a Refusal. */
  async execute<R>(command: string, argument?: ext.Argument): Promise<R> {
    const client = await this.ready();
    try {
      return (await client.sendRequest(ExecuteCommandRequest.type, {
        command,
        arguments: argument ? [argument] : [],
      })) as R;
    } catch (err) {
      if (err instanceof ResponseError) {
        const data = err.data as { status?: string; code?: string } | undefined;
        throw new Refusal(err.message, data?.code ?? '', data?.status === 'stale');
      }
      throw err;
    }
  }

  /** text is that of one of the server's documents. */
  async text(uri: vscode.Uri): Promise<string> {
    const client = await this.ready();
    return (await client.sendRequest(TextDocumentContentRequest.type, { uri: uri.toString() })).text;
  }

  private async ready(): Promise<LanguageClient> {
    await this.queue;
    if (!this.client || !this.isRunning) {
      throw new Refusal('galley does not run here. "Galley: Restart the Server" starts it.', 'stopped', false);
    }
    return this.client;
  }

  async showLog(): Promise<void> {
    try {
      await vscode.window.showTextDocument(this.logFile, { preview: true });
    } catch {
      this.output.show(); // it never came so far
    }
  }

  showTrace(): void {
    this.trace.show();
  }
}
