// The conversation as a document: it grows while a run goes on, and who reads its end sees what comes.
import * as vscode from 'vscode';
import * as conversation from './conversation';
import type { State } from './state';

const scheme = 'galley-conversation';
const uri = vscode.Uri.from({ scheme, path: '/Galley Conversation' }); // package.json knows the name

export class Page implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: { dispose(): unknown }[];
  private lines = 0;
  readonly onDidChange = this.changed.event;

  constructor(private readonly state: State) {
    this.subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === scheme) {
          this.follow(document.lineCount);
        }
      }),
      this.changed,
    ];
    state.on('run', 'changes', () => this.changed.fire(uri));
  }

  dispose(): void {
    for (const d of this.subscriptions) {
      d.dispose();
    }
  }

  provideTextDocumentContent(): string {
    return conversation.text(this.state);
  }

  /** show opens it beside what the user looks at. */
  async show(): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    this.lines = document.lineCount;
    this.changed.fire(uri); // what came while it was opened was for no document yet
    if (!vscode.window.visibleTextEditors.some((editor) => editor.document === document)) {
      const editor = await vscode.window.showTextDocument(document, {
        viewColumn: vscode.ViewColumn.Beside,
        preserveFocus: true,
        preview: false,
      });
      reveal(editor);
    }
  }

  /** follow keeps the end in sight where it was. */
  private follow(lines: number): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const seen = editor.visibleRanges.at(-1)?.end.line ?? 0;
      if (editor.document.uri.scheme === scheme && seen >= this.lines - 2) {
        reveal(editor);
      }
    }
    this.lines = lines;
  }
}

function reveal(editor: vscode.TextEditor): void {
  const end = new vscode.Position(editor.document.lineCount - 1, 0);
  editor.revealRange(new vscode.Range(end, end));
}
