// Edits that the server asks for.
import * as vscode from 'vscode';
import {
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditResult,
  TextDocumentEdit,
  TextEdit,
} from 'vscode-languageclient/node';
import { rangeOf } from './places';

/**
 * applied brings an edit into its documents. The document to which the keys go comes first and by its editor, which refuses
 * an edit that anything was typed before. A WorkspaceEdit, of VS Code before 1.122, looks at the versions and changes the
 * texts a while later, beside what it means: https://github.com/microsoft/vscode/issues/317275.
 */
export async function applied(
  params: ApplyWorkspaceEditParams,
  next: (params: ApplyWorkspaceEditParams) => Promise<ApplyWorkspaceEditResult>,
): Promise<ApplyWorkspaceEditResult> {
  const changes = params.edit.documentChanges ?? [];
  const editor = vscode.window.activeTextEditor;
  const shown = editor?.document.uri.toString();
  const typed = changes
    .filter((c) => TextDocumentEdit.is(c))
    .find((c) => vscode.Uri.parse(c.textDocument.uri).toString() === shown && c.edits.every((e) => TextEdit.is(e)));
  if (!editor || !typed) {
    return next(params);
  }
  const replace = (to: vscode.TextEditorEdit): void =>
    typed.edits.filter((e) => TextEdit.is(e)).forEach((e) => to.replace(rangeOf(e.range), e.newText));
  if (editor.document.version !== typed.textDocument.version || !(await editor.edit(replace))) {
    return { applied: false, failureReason: 'its text has changed meanwhile' };
  }
  const documentChanges = changes.filter((c) => c !== typed);
  return documentChanges.length === 0 ? { applied: true } : next({ ...params, edit: { ...params.edit, documentChanges } });
}
