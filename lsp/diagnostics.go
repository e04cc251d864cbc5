package lsp

import (
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"go.lsp.dev/protocol"
)

// Diagnostics are the one way to show a change that every editor has: each
// undecided change is one, at its place in the text as it is.

// mostLines of a change are put into one message.
const mostLines = 60

// hidden says what a client is not shown of a change, "" if nothing: it draws all
// lines itself, or has them in diagnostics.
func (c *client) hidden(seen view.Change) string {
	if c.draws {
		return seen.Lines.Hidden(len(seen.Lines))
	}
	return seen.Lines.Around(0).Hidden(mostLines)
}

// severityOf answers how diagnostics are shown; ok is false for not at all.
func severityOf(c *client, set Settings) (protocol.DiagnosticSeverity, bool) {
	switch set.Diagnostics {
	case "off":
		return 0, false
	case "hint":
		return protocol.DiagnosticSeverityHint, true
	case "information":
		return protocol.DiagnosticSeverityInformation, true
	case "warning":
		return protocol.DiagnosticSeverityWarning, true
	}
	switch {
	case c.draws:
		return 0, false
	case c.profile.warnings:
		return protocol.DiagnosticSeverityWarning, true
	}
	return protocol.DiagnosticSeverityInformation, true
}

func diagnosticsOf(snap *editing.Snapshot, d *editing.Document, c *client, set Settings) []protocol.Diagnostic {
	out := []protocol.Diagnostic{}
	severity, ok := severityOf(c, set)
	if !ok {
		return out
	}
	m := c.mapper(d)
	for _, ch := range d.Changes() {
		if ch.State.Undecided() {
			out = append(out, diagnosticOf(snap, ch, m, c, severity))
		}
	}
	return out
}

func diagnosticOf(snap *editing.Snapshot, ch *editing.Change, m mapper, c *client, severity protocol.DiagnosticSeverity) protocol.Diagnostic {
	name := source
	if ch.State == editing.Conflict {
		severity = protocol.DiagnosticSeverityWarning
	}
	d := protocol.Diagnostic{
		Range: m.span(shownAt(ch)), Severity: severity,
		Code: protocol.String(ch.Letter), Message: protocol.String(diagnosticMessage(snap, ch)),
	}
	d.Source.Set(name)
	if c.caps.diagnosticData {
		d.Data = protocol.LSPAny(own(letterOf(ch)))
	}
	return d
}

func diagnosticMessage(snap *editing.Snapshot, ch *editing.Change) string {
	seen := view.Of(snap, ch)
	var b strings.Builder
	b.WriteString("[" + ch.Letter + "] " + seen.Summary)
	switch ch.State {
	case editing.Conflict:
		b.WriteString("\nin conflict with your text")
	case editing.Applying:
		b.WriteString("\nbeing applied")
	}
	if why := ch.Because(); why != "" {
		b.WriteString("\n" + why)
	}
	b.WriteString("\n" + seen.Lines.Around(0).First(mostLines))
	return strings.TrimSuffix(b.String(), "\n")
}

// shownAt is where a change is shown: one of a whole file at its beginning.
func shownAt(c *editing.Change) (start, end int) {
	if c.Kind.File() {
		return 0, 0
	}
	return view.Extent(c)
}
