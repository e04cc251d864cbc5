// The extension of galley: it shows what the server says, and sends what the user decides.
import * as vscode from 'vscode';
import { Server } from './server';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  server = new Server(context);
  context.subscriptions.push(
    server,
    vscode.workspace.onDidGrantWorkspaceTrust(() => server?.restart()),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration('galley.server')) {
        void server?.restart();
      }
    }),
  );
  await server.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
