// The status bar, and what when-clauses ask for.
import * as vscode from 'vscode';
import * as draw from './draw';
import { fileBehind, fileOf } from './places';
import type { Server } from './server';
import { isPending, type State } from './state';

function set(name: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', `galley.${name}`, value);
}

export function status(server: Server, state: State): { dispose(): unknown }[] {
  const item = vscode.window.createStatusBarItem('galley', vscode.StatusBarAlignment.Left, 10);
  item.name = 'Galley';
  item.command = 'galley.changes.focus';
  const here = (): void => {
    const file = fileOf(state, fileBehind(vscode.window.activeTextEditor?.document.uri));
    set('pendingHere', file?.changes.some(isPending) ?? false);
  };
  const show = (): void => {
    set('started', server.isRunning);
    set('pending', state.pending.length > 0);
    set('running', state.running !== undefined);
    here();
    const text = draw.status(state);
    item.text = `$(checklist) ${text === '' ? 'galley' : text}`;
    item.tooltip = [
      draw.waiting(state.pending.map(({ change }) => change)),
      ...(state.context ? [`Context: ${draw.full(state.context)}`] : []),
    ].join('\n');
    if (server.isRunning) {
      item.show();
    } else {
      item.hide();
    }
  };
  state.on('changes', 'context', 'run', show);
  const watching = [server.onDidRun(show), vscode.window.onDidChangeActiveTextEditor(here)];
  return [item, ...watching];
}
