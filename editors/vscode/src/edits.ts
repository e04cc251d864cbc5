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
  const texts = changes.filter((c) => TextDocumentEdit.is(c));
  const versions = new Map(vscode.workspace.textDocuments.map((d) => [d.uri.toString(), d.version]));
  const isStale = ({ textDocument }: TextDocumentEdit): boolean => versions.get(known(textDocument.uri)) !== textDocument.version;
  const editor = vscode.window.activeTextEditor;
  const typed = texts.find((c) => known(c.textDocument.uri) === editor?.document.uri.toString());
  const edits = typed?.edits.filter((e) => TextEdit.is(e)) ?? [];
  if (!editor || edits.length !== typed?.edits.length) {
    return next(params); // of no document that is shown, or more than text
  }
  const replace = (to: vscode.TextEditorEdit): void => edits.forEach((e) => to.replace(rangeOf(e.range), e.newText));
  if (texts.some(isStale) || !(await editor.edit(replace))) {
    return { applied: false, failureReason: 'a text has changed meanwhile' };
  }
  const documentChanges = changes.filter((c) => c !== typed);
  return documentChanges.length === 0 ? { applied: true } : next({ ...params, edit: { ...params.edit, documentChanges } });
}

function known(uri: string): string {
  return vscode.Uri.parse(uri).toString();
}
