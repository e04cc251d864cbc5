package host

import (
	"context"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// Which decisions an editor that keeps a document stands in the way of.
func TestBarred(t *testing.T) {
	const edits, rename, remove = "a.txt", "b.txt", "c.txt"
	exact, loose := Client{Name: "Helix", Exact: true, Edits: true}, Client{Name: "Emacs", Edits: true}
	for name, c := range map[string]struct {
		keeper Client
		file   string
		own    bool // it is decided there
		doubt  string
		code   string
		says   string
	}{
		"its own":                            {keeper: loose, file: edits, own: true},
		"from elsewhere, exact":              {keeper: exact, file: edits},
		"from elsewhere, not exact":          {keeper: loose, file: edits, code: CodeHeld, says: "decide A in Emacs, or close the file there"},
		"its text is in doubt":               {keeper: exact, file: edits, own: true, doubt: "lost", code: CodeUnsound, says: "lost track of the text of a.txt: lost. Then repeat the command"},
		"in doubt, from elsewhere":           {keeper: exact, file: edits, doubt: "lost", code: CodeUnsound},
		"it changes no text":                 {keeper: Client{Name: "odd"}, file: edits, own: true, code: CodeNoApplyEdit, says: "your editor offers no workspace/applyEdit"},
		"it changes no text, from elsewhere": {keeper: Client{Name: "odd", Exact: true}, file: edits, code: CodeNoApplyEdit, says: "odd offers no workspace/applyEdit, so galley cannot change an open document; close a.txt there"},
		"it renames nothing":                 {keeper: exact, file: rename, own: true, code: CodeNoApplyEdit, says: "and repeat the command"},
		"it renames":                         {keeper: Client{Name: "VS Code", Exact: true, Edits: true, Renames: true}, file: rename},
		"a file that goes is the disk's":     {keeper: loose, file: remove},
		"but not while its text is in doubt": {keeper: loose, file: remove, doubt: "lost", code: CodeUnsound},
		"no editor has it":                   {file: edits},
	} {
		t.Run(name, func(t *testing.T) {
			ws := editing.New(0)
			u := NewUnderway(&Host{table: ws})
			ids := [2]editing.Keeper{u.Join(c.keeper), u.Join(Client{Name: "elsewhere"})}
			m := editing.Meta{Owner: "s"}
			doc := editing.NewDocument("/w/"+c.file, c.file, text.New("one\n"))
			op := map[string]editing.Op{
				edits:  editing.Replace(editing.Replacement{Meta: m, Path: doc.Path, Old: "one", New: "ONE"}),
				rename: editing.RenameFile(editing.Renaming{Meta: m, Path: doc.Path, To: "/w/new.txt", ToName: "new.txt"}),
				remove: editing.DeleteFile(editing.Deletion{Meta: m, Path: doc.Path}),
			}[c.file]
			if r := ws.Do(op, doc); !r.OK() {
				t.Fatalf("%+v", r)
			}
			if c.keeper.Name != "" {
				ws.OpenDocument(doc.Path, c.file, text.New("one\n"), 1, ids[0])
				ws.DoubtDocument(doc.Path, c.doubt, ids[0])
			}
			by := ids[1]
			if c.own {
				by = ids[0]
			}
			r, err := u.Begin(context.Background(), Applying(by, "Apply", editing.Letters("A")), func() (editing.Result, error) {
				return editing.Result{Status: editing.StatusRefused, Code: "made"}, nil // that it came so far is enough
			})
			want := c.code
			if want == "" {
				want = "made"
			}
			if err != nil || r.Code != want || !strings.Contains(r.Hint, c.says) {
				t.Errorf("%v, %+v, want the code %s and %q", err, r, want, c.says)
			}
		})
	}
}

// A sentence is for those that it names, else for all; without anybody, for the next who comes.
func TestSay(t *testing.T) {
	u := NewUnderway(&Host{table: editing.New(0)})
	u.Say("early")
	one, two := u.Join(Client{}), u.Join(Client{})
	u.Say("to one", one)
	u.Say("to all")
	u.Say("to nobody", 99)
	for id, want := range map[editing.Keeper]string{one: "early, to one, to all", two: "to all"} {
		if said, err := u.Hear(context.Background(), id); err != nil || strings.Join(said, ", ") != want {
			t.Errorf("%d hears %v, %v, want %s", id, said, err, want)
		}
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if said, err := u.Hear(over, one); err == nil {
		t.Errorf("it hears %v twice", said)
	}
}

// After a host was killed nothing is written below an editor that may come back with text of its own, whatever the decision
// is; what writes no file is done.
func TestNothingIsWrittenBelowAnAwaitedEditor(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		before, does func(h *Host) (editing.Result, error)
		done         bool
	}{
		"apply":  {does: func(h *Host) (editing.Result, error) { return h.Apply(ctx, 0, editing.Letters("A")) }},
		"commit": {does: func(h *Host) (editing.Result, error) { return h.Commit(ctx, 0, h.Current(), 1, "", nil) }},
		"reject": {done: true, does: func(h *Host) (editing.Result, error) { return h.Reject(ctx, 0, editing.Letters("A"), "") }},
		"revert": {done: true, does: func(h *Host) (editing.Result, error) { return h.Revert(ctx, 0, h.Current(), 1, "", true) }},
		"undo of an apply": {
			before: func(h *Host) (editing.Result, error) { return h.Apply(ctx, 0, editing.Letters("A")) },
			does:   undoes,
		},
		"undo of a commit": {
			before: func(h *Host) (editing.Result, error) { return h.Commit(ctx, 0, h.Current(), 1, "", nil) },
			does:   undoes,
		},
		"undo of a rejection": {
			done:   true,
			before: func(h *Host) (editing.Result, error) { return h.Reject(ctx, 0, editing.Letters("A"), "") },
			does:   undoes,
		},
		"revert with what was applied": {
			before: func(h *Host) (editing.Result, error) { return h.Apply(ctx, 0, editing.Letters("A")) },
			does:   func(h *Host) (editing.Result, error) { return h.Revert(ctx, 0, h.Current(), 1, "", true) },
		},
		"revert of a commit": {
			before: func(h *Host) (editing.Result, error) { return h.Commit(ctx, 0, h.Current(), 1, "", nil) },
			does:   func(h *Host) (editing.Result, error) { return h.Revert(ctx, 0, h.Current(), 1, "", true) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
			h := p.open()
			p.ask(h, "a.txt: one → ONE")
			p.ask(h, "b.txt: two → TWO")
			if c.before != nil {
				p.decides(c.before(h))
			}
			a, b := p.disk("a.txt"), p.disk("b.txt")
			h.awaits = func(file string) bool { return file == "a.txt" }
			if c.before == nil && h.settings().Unasked(h.Current(), 1) {
				t.Error("the agent's commit is carried out")
			}
			r, err := c.does(h)
			if err != nil || r.OK() != c.done || !c.done && (r.Code != CodeAwaited || !strings.Contains(r.Hint, "an editor had a.txt open when its host was killed")) {
				t.Errorf("%+v, %v", r, err)
			}
			if p.disk("a.txt") != a || p.disk("b.txt") != b {
				t.Errorf("the files hold %q and %q", p.disk("a.txt"), p.disk("b.txt"))
			}
			h.awaits = func(string) bool { return false }
			if r, err := c.does(h); err != nil || !c.done && !r.OK() {
				t.Errorf("when it is awaited no more: %+v, %v", r, err)
			}
		})
	}
}

func undoes(h *Host) (editing.Result, error) {
	u, err := h.Undo(context.Background(), 0, "")
	return u.Result, err
}
