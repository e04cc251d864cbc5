// Package view is what people and models see of the state: previews, summaries,
// patches, and the display lines of a change with marks for what differs in them.
//
// Everything here is computed from a snapshot, which never changes, and changes
// nothing. The lines of a change are made once, in this package; the terminal,
// Markdown, hovers, virtual documents and the wire only write them down.
package view
