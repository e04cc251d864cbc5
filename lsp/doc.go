// Package lsp is an editor's door: a language server in which an agent's staged
// changes are shown, decided and followed.
//
// It speaks LSP 3.18 over one connection and knows no model. The user's text
// goes straight into the editing.Workspace; everything that an agent session
// must hear of goes through the Host. What it keeps itself is what the client
// offered, which documents the editor has open, and what was last published.
//
// The read loop handles messages in wire order. A request that is slow takes
// what it needs of the state first and is then released. One publisher waits for
// newer snapshots and sends what changed; it is woken by level, never by event.
// A notification never fails the connection, a panic never ends it.
//
// What it never does: believe the answer to an applyEdit (the document's text
// decides), send an edit that nobody asked for, put an edit into a code action,
// touch a file, keep a handler's context, or cross between byte offsets and
// protocol positions anywhere but in convert.go.
package lsp
