package lsptest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

type workspaceEdit struct {
	Label string `json:"label"`
	Edit  struct {
		Changes         map[string][]TextEdit `json:"changes"`
		DocumentChanges []documentEdit        `json:"documentChanges"`
	} `json:"edit"`
	Metadata struct {
		IsRefactoring bool `json:"isRefactoring"`
	} `json:"metadata"`
}

type documentEdit struct {
	Kind         string `json:"kind"`
	OldURI       string `json:"oldUri"`
	NewURI       string `json:"newUri"`
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []TextEdit `json:"edits"`
}

// outcome is what became of one applyEdit.
type outcome struct {
	did, stale bool
	word       Word
	why        string
	touched    []*buffer
}

// applyLocked meets a workspace/applyEdit.
func (e *Editor) applyLocked(m Message) {
	var w workspaceEdit
	if err := json.Unmarshal(m.Params, &w); err != nil {
		e.failLocked(m.ID, invalidParams, err.Error())
		return
	}
	var answer Answer
	if len(e.answers) > 0 {
		answer, e.answers = e.answers[0], e.answers[1:]
	}
	o := e.doLocked(&w, answer.Do)
	if w.Metadata.IsRefactoring && e.profile.SavesRefactor {
		defer e.saveAllLocked(o.touched)
	}
	if answer.Say != SayAsEver {
		o.word = answer.Say
	}
	e.screen.Edits = append(e.screen.Edits, Applied{Params: m.Params, Did: o.did, Stale: o.stale})
	at := len(e.screen.Edits) - 1
	reply := func() { e.screen.Edits[at].Said = e.replyLocked(m.ID, o) }
	e.orderLocked(answer.When, reply, o.touched)
}

func (e *Editor) saveAllLocked(buffers []*buffer) {
	for _, b := range buffers {
		if err := e.saveLocked(b); err != nil {
			e.screen.Messages = append(e.screen.Messages, Said{Text: err.Error()})
		}
	}
}

// doLocked puts a workspace edit into the buffers, or not.
func (e *Editor) doLocked(w *workspaceEdit, deed Deed) outcome {
	documents := w.documents()
	for _, d := range documents {
		if d.Kind == "rename" && e.profile.Renames() {
			continue
		}
		if d.Kind != "" {
			return outcome{word: SayTruth, why: "this editor of tests does not " + d.Kind + " files"}
		}
		if e.buffers[key(d.TextDocument.URI)] == nil {
			if err := e.openLocked(d.TextDocument.URI); err != nil { // loaded into a buffer, unsaved: row "file that is not open"
				return outcome{word: SayTruth, why: err.Error()}
			}
		}
	}
	if deed == DoRefuse {
		return outcome{word: SayTruth, why: "refused"}
	}
	o := outcome{word: SayTruth}
	kept := slices.DeleteFunc(documents, func(d documentEdit) bool { return deed != DoApply && e.staleLocked(d) })
	if o.stale = len(kept) < len(documents); o.stale {
		o.word, o.why = e.profile.Stale, "document has changed"
		if !e.profile.ZeroPasses { // all or nothing
			return o
		}
	}
	o.did = !o.stale
	e.putLocked(kept, deed, &o)
	return o
}

func (e *Editor) putLocked(documents []documentEdit, deed Deed, o *outcome) {
	for i, d := range documents {
		if d.Kind == "rename" {
			o.did = e.renameLocked(d) && o.did
			continue
		}
		b := e.bufferLocked(d.TextDocument.URI)
		partly := deed == DoPartly && i == len(documents)-1
		c, some := e.servedLocked(b, d.Edits, partly)
		o.did = o.did && !partly
		if !some {
			continue
		}
		if deed != DoLater {
			e.stepLocked(b, c)
			o.touched = append(o.touched, b)
			continue
		}
		o.did = false
		was := b.text
		e.later = append(e.later, func() {
			if b.text == was && e.buffers[key(b.uri)] == b { // closed meanwhile, it is nobody's text
				e.stepLocked(b, c)
				e.holdLocked(b)
			}
		})
	}
}

// renameLocked gives a file, and its buffer with what is not saved in it, another name.
func (e *Editor) renameLocked(d documentEdit) bool {
	from, to := filePath(d.OldURI), filePath(d.NewURI)
	if e.profile.MakesFolders && os.MkdirAll(filepath.Dir(to), 0o755) != nil || os.Rename(from, to) != nil {
		return false
	}
	if b := e.buffers[key(d.OldURI)]; b != nil {
		e.closeLocked(b)
		_ = e.openLocked(d.NewURI)
		if now := e.buffers[key(d.NewURI)]; now != nil && now.text != b.text {
			e.typedLocked(now, []edit{{0, len(now.text), b.text}})
		}
	}
	return true
}

// Renames reports whether the editor gives files other names when it is asked to.
func (p Profile) Renames() bool {
	kinds, _ := p.Capabilities["workspace.workspaceEdit.resourceOperations"].([]string)
	return slices.Contains(kinds, "rename")
}

// servedLocked is what a server's edits of a buffer make: all of them, or all but the last.
func (e *Editor) servedLocked(b *buffer, list []TextEdit, partly bool) (c change, some bool) {
	edits := e.editsLocked(b, list)
	if partly && len(edits) > 0 {
		edits = edits[:len(edits)-1]
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(x, y TextEdit) int { return x.Range.Start.compare(y.Range.Start) })
		list = list[:len(edits)]
	}
	if len(edits) == 0 {
		return c, false
	}
	if e.profile.Lined == LinedNot {
		return change{before: b.text, edits: edits}, true
	}
	return b.lined(edits, b.served(list, e.encoding, e.profile.Lined)), true
}

// documents is the edit in one shape, in its order.
func (w *workspaceEdit) documents() []documentEdit {
	if w.Edit.DocumentChanges != nil {
		return slices.Clone(w.Edit.DocumentChanges)
	}
	var documents []documentEdit
	for _, uri := range sortedKeys(w.Edit.Changes) {
		d := documentEdit{Edits: w.Edit.Changes[uri]}
		d.TextDocument.URI = uri
		documents = append(documents, d)
	}
	return documents
}

// staleLocked is the profile's version check.
func (e *Editor) staleLocked(d documentEdit) bool {
	version := d.TextDocument.Version
	if version == nil {
		return false
	}
	b := e.bufferLocked(d.TextDocument.URI)
	if e.profile.ZeroPasses {
		return *version > 0 && b.version > *version
	}
	return *version != b.version
}

// editsLocked are a document's edits as bytes: sorted, an insertion's order kept, line endings those of the buffer.
func (e *Editor) editsLocked(b *buffer, list []TextEdit) []edit {
	edits := make([]edit, 0, len(list))
	for _, t := range list {
		start, _ := place(b.text, t.Range.Start, e.encoding)
		end, _ := place(b.text, t.Range.End, e.encoding)
		edits = append(edits, edit{start, max(start, end), b.form.insert(t.NewText)})
	}
	slices.SortStableFunc(edits, func(x, y edit) int {
		if x.start != y.start {
			return x.start - y.start
		}
		return x.end - y.end
	})
	at := 0
	return slices.DeleteFunc(edits, func(x edit) bool { // overlapping ones are the checker's to complain about
		if x.start < at {
			return true
		}
		at = x.end
		return false
	})
}
