// Where changes are in VS Code's terms.
import * as vscode from 'vscode';
import type * as ext from './ext';
import { isPending, type Placed, type State } from './state';

/** folder is where galley works: of several on a disk in the first. */
export function folder(): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file');
}

export function rangeOf(range: ext.Change['range']): vscode.Range {
  return range
    ? new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character)
    : new vscode.Range(0, 0, 0, 0); // a change of a whole file is shown at its beginning
}

/** placeOf are the lines of a change: an end before the first character of a line is that of the line before. */
export function placeOf(change: ext.Change): vscode.Range {
  return whole(rangeOf(change.range));
}

export function whole(range: vscode.Range): vscode.Range {
  const behind = range.end.character === 0 && range.end.line > range.start.line;
  return new vscode.Range(range.start.line, 0, behind ? range.end.line - 1 : range.end.line, 0);
}

export function isOf(file: ext.File, uri: vscode.Uri): boolean {
  return file.uri === uri.toString() || vscode.Uri.parse(file.uri).toString() === uri.toString();
}

/** isShown reports whether the places of a file are those of the text that VS Code has: else the next message has them. */
export function isShown(file: ext.File): boolean {
  const open = vscode.workspace.textDocuments.find((d) => isOf(file, d.uri));
  return open === undefined || open.version === file.version;
}

/** nameOf is a file as people see it. */
export function nameOf(uri: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(uri), false);
}

/** fileBehind is the file that the review shows under schemes of its own. */
export function fileBehind(uri: vscode.Uri | undefined): vscode.Uri | undefined {
  return uri?.with({ scheme: 'file', query: '' });
}

/** fileOf is what waits in a document. */
export function fileOf(state: State, uri: vscode.Uri | undefined): ext.File | undefined {
  return uri && state.changes.files.find((file) => isOf(file, uri));
}

/** at is the change at a place that waits, or else in the state that is asked for. */
export function at(
  state: State,
  uri: vscode.Uri,
  place: vscode.Position,
  wanted: (change: ext.Change) => boolean = isPending,
): Placed | undefined {
  const file = fileOf(state, uri);
  const change = file?.changes.find((c) => {
    const { start, end } = placeOf(c);
    return wanted(c) && start.line <= place.line && place.line <= end.line;
  });
  return file && change && { file, change };
}
