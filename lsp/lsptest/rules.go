package lsptest

import (
	"encoding/json"
	"slices"
	"strings"
)

// dig follows a dotted path into decoded JSON.
func dig(v any, path string) any {
	for _, name := range strings.Split(path, ".") {
		switch object := v.(type) {
		case map[string]any:
			v = object[name]
		case Capabilities:
			v = object[name]
		default:
			return nil
		}
	}
	return v
}

// list is what is under a path, as a list.
func list(v any, path string) []any {
	items, _ := dig(v, path).([]any)
	return items
}

func text(v any, path string) string {
	s, _ := dig(v, path).(string)
	return s
}

// rules are those that the shape alone does not tell, by method.
func (c *checker) rules(e *Editor, method string, params any) {
	switch method {
	case "textDocument/publishDiagnostics":
		c.diagnostics(e, params)
	case "workspace/applyEdit":
		c.workspaceEdit(e, params)
	case "client/registerCapability":
		for _, r := range list(params, "registrations") {
			c.registration(r)
		}
	case "window/workDoneProgress/create":
		c.tokens[string(encode(dig(params, "token")))] = ""
	case "$/progress":
		c.progress(params)
	case "window/showMessageRequest":
		for _, action := range list(params, "actions") {
			if object, _ := action.(map[string]any); len(object) > 1 {
				c.gate("window.showMessage.messageActionItem.additionalPropertiesSupport", "an action with more than a title")
			}
		}
	}
}

// gate says that something needs a capability that was not offered.
func (c *checker) gate(capability, what string) {
	if !c.offers(capability) {
		c.say("%s was sent, but the client did not offer %s", what, capability)
	}
}

// given gates a property, if it is there.
func (c *checker) given(v any, property, capability, where string) {
	if dig(v, property) != nil {
		c.gate(capability, where+"."+property)
	}
}

func (c *checker) diagnostics(e *Editor, params any) {
	const can = "textDocument.publishDiagnostics."
	c.given(params, "version", can+"versionSupport", "publishDiagnostics")
	b := e.buffers[key(text(params, "uri"))]
	version, versioned := integer(dig(params, "version"))
	if b != nil && b.again {
		b = nil // it may still be meant for the document that was closed
	}
	if versioned && b != nil {
		c.versionOf(b, version)
	}
	for _, d := range list(params, "diagnostics") {
		c.given(d, "data", can+"dataSupport", "diagnostic")
		c.given(d, "tags", can+"tagSupport", "diagnostic")
		c.given(d, "codeDescription", can+"codeDescriptionSupport", "diagnostic")
		c.given(d, "relatedInformation", can+"relatedInformation", "diagnostic")
		c.given(d, "message.kind", "textDocument.diagnostic.markupMessageSupport", "diagnostic")
		if b != nil && versioned && version == b.toldAt {
			c.within(b, e.encoding, dig(d, "range"), "diagnostic")
		}
	}
}

// versionOf: diagnostics are for a version that the server knows, and never for an older one than before.
func (c *checker) versionOf(b *buffer, version int) {
	if version > b.toldAt {
		c.say("diagnostics for version %d of %s; the server was told only %d", version, b.uri, b.toldAt)
	}
	if last, ok := c.published[b.uri]; ok && version < last && last <= b.toldAt {
		c.say("diagnostics for version %d of %s after those for %d", version, b.uri, last)
	}
	c.published[b.uri] = version
}

func integer(v any) (int, bool) {
	n, ok := v.(json.Number)
	i, err := n.Int64()
	return int(i), ok && err == nil
}

// within: a range lies in the text as the server knows it, and splits no character.
func (c *checker) within(b *buffer, encoding string, v any, what string) {
	var r Range
	if json.Unmarshal(encode(v), &r) != nil {
		return
	}
	start, ok := place(b.toldLines(), r.Start, encoding)
	end, fine := place(b.toldLines(), r.End, encoding)
	if !ok || !fine || start > end {
		c.say("%s: range %v is not in %s at version %d", what, r, b.uri, b.toldAt)
	}
}

func (c *checker) workspaceEdit(e *Editor, params any) {
	const can = "workspace.workspaceEdit."
	c.given(params, "metadata", can+"metadataSupport", "applyEdit")
	c.given(params, "edit.changeAnnotations", can+"changeAnnotationSupport", "applyEdit")
	documents := dig(params, "edit.documentChanges")
	if documents == nil {
		c.plainEdit(e, params)
		return
	}
	if dig(params, "edit.changes") != nil {
		c.say("applyEdit holds both changes and documentChanges")
	}
	// the protocol: only a client that offers neither is bound to plain changes
	if !c.offers(can+"documentChanges") && !c.offers(can+"resourceOperations") {
		c.say("applyEdit holds documentChanges, but the client offered neither documentChanges nor resourceOperations")
	}
	for _, d := range list(params, "edit.documentChanges") {
		if kind := text(d, "kind"); kind != "" {
			c.operation(kind)
			continue
		}
		c.documentEdit(e, d)
	}
}

func (c *checker) operation(kind string) {
	if kinds, _ := dig(c.offered, "workspace.workspaceEdit.resourceOperations").([]string); !slices.Contains(kinds, kind) {
		c.say("applyEdit holds a %s, but the client did not offer it", kind)
	}
}

// plainEdit: without versions only where the client takes no versions.
func (c *checker) plainEdit(e *Editor, params any) {
	changes, _ := dig(params, "edit.changes").(map[string]any)
	for _, uri := range sortedKeys(changes) {
		if e.buffers[key(uri)] != nil && c.offers("workspace.workspaceEdit.documentChanges") {
			c.say("applyEdit without a version for %s, which is open", uri)
		}
	}
}

func (c *checker) documentEdit(e *Editor, d any) {
	b := e.buffers[key(text(d, "textDocument.uri"))]
	version, versioned := integer(dig(d, "textDocument.version"))
	edits := list(d, "edits")
	for _, edit := range edits {
		c.given(edit, "snippet", "workspace.workspaceEdit.snippetEditSupport", "applyEdit")
		c.given(edit, "annotationId", "workspace.workspaceEdit.changeAnnotationSupport", "applyEdit")
	}
	switch {
	case b == nil || b.again && versioned:
	case !versioned:
		c.say("applyEdit without a version for %s, which is open", b.uri)
	case version > b.toldAt:
		c.say("applyEdit for version %d of %s; the server was told only %d", version, b.uri, b.toldAt)
	case version == b.toldAt:
		c.edits(b, e.encoding, edits)
	}
}

// edits lie in the text and do not overlap.
func (c *checker) edits(b *buffer, encoding string, edits []any) {
	var spans [][2]int
	for _, edit := range edits {
		c.within(b, encoding, dig(edit, "range"), "applyEdit")
		var r Range
		if json.Unmarshal(encode(dig(edit, "range")), &r) == nil {
			start, _ := place(b.toldLines(), r.Start, encoding)
			end, _ := place(b.toldLines(), r.End, encoding)
			spans = append(spans, [2]int{start, end})
		}
	}
	slices.SortFunc(spans, func(x, y [2]int) int { return x[0] - y[0] })
	for i := 1; i < len(spans); i++ {
		if spans[i][0] < spans[i-1][1] {
			c.say("applyEdit: edits of %s overlap", b.uri)
		}
	}
}

// registration: only of what the client lets be registered, with the right options.
func (c *checker) registration(r any) {
	name := text(r, "method")
	known, ok := c.model.requests[name]
	if !ok {
		known, ok = c.model.notifications[name]
	}
	if !ok {
		c.say("registration of %s, which is not in the protocol", name)
		return
	}
	c.gate(known.Client+".dynamicRegistration", "a registration of "+name)
	if options := dig(r, "registerOptions"); options != nil && known.Registration != nil {
		if bad := c.model.fits("registerOptions", *known.Registration, options); bad != nil {
			c.say("registration of %s: %s", name, bad)
		}
	}
}

// progressShapes are the values of a work-done progress.
var progressShapes = map[string]string{
	"begin": "WorkDoneProgressBegin", "report": "WorkDoneProgressReport", "end": "WorkDoneProgressEnd",
}

func (c *checker) progress(params any) {
	token := string(encode(dig(params, "token")))
	last, known := c.tokens[token]
	kind := text(params, "value.kind")
	shape, ok := progressShapes[kind]
	switch {
	case !known:
		c.say("progress for token %s, which nobody made", token)
	case !ok:
		c.say("progress of kind %q", kind)
	case (kind == "begin") != (last == "") || last == "end":
		c.say("progress %s: %s after %q", token, kind, last)
	default:
		if bad := c.model.fitsNamed("value", shape, dig(params, "value")); bad != nil {
			c.say("progress: %s", bad)
		}
	}
	c.tokens[token] = kind
}
