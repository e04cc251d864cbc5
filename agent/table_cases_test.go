package agent_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// editCase is one case of testdata/edits.json and edits2.json: what public edit tools got wrong, and this one.
type editCase struct {
	ID          string `json:"id"`
	Category    string `json:"category"`
	File        string `json:"file"`
	FileB64     string `json:"file_b64"`
	OldText     string `json:"old_text"`
	NewText     string `json:"new_text"`
	SearchAfter string `json:"search_after"`
	MatchID     string `json:"match_id"`
	Pending     []struct {
		OldText string `json:"old_text"`
		NewText string `json:"new_text"`
	} `json:"pending"`
	Expect struct {
		Status     string  `json:"status"`
		Hint       string  `json:"hint"`
		Result     *string `json:"result"`
		ResultB64  string  `json:"result_b64"`
		Candidates int     `json:"candidates"`
		Total      int     `json:"total"`
		Amends     string  `json:"amends"`
	} `json:"expect"`
}

func (c editCase) bytes(t *testing.T, plain, b64 string) []byte {
	t.Helper()
	if b64 == "" {
		return []byte(plain)
	}
	b, err := base64.StdEncoding.DecodeString(b64)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEditCases runs every case as a tool call, and commits it.
func TestEditCases(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	for _, name := range []string{"edits.json", "edits2.json"} {
		raw, err := os.ReadFile("../testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var cases []editCase
		if err := json.Unmarshal(raw, &cases); err != nil {
			t.Fatal(err)
		}
		if len(cases) == 0 {
			t.Fatalf("%s has no cases", name)
		}
		for _, c := range cases {
			t.Run(c.ID+"-"+c.Category, func(t *testing.T) { c.run(t) })
		}
	}
}

func (c editCase) run(t *testing.T) {
	before := c.bytes(t, c.File, c.FileB64)
	b := newBench(t, map[string]string{"f.txt": string(before)}, editing.Auto)
	for _, p := range c.Pending {
		if o := b.call("memory_notebook_replace", args{"path": "f.txt", "old_text": p.OldText, "new_text": p.NewText}); o.Status != "editing" {
			t.Fatalf("the pending edit: %s", o.JSON())
		}
	}
	a := args{"path": "f.txt", "old_text": c.OldText, "new_text": c.NewText}
	for k, v := range map[string]string{"search_after": c.SearchAfter, "match_id": c.MatchID} {
		if v != "" {
			a[k] = v
		}
	}
	o := b.call("memory_notebook_replace", a)
	c.checkStatus(t, o)
	if c.Expect.Status != "staged" {
		if len(c.Pending) == 0 {
			b.call("memo_commit", args{"summary": "s"})
			if got := b.file("f.txt"); got != string(before) {
				t.Errorf("nothing was staged, but the file is %q", got)
			}
		}
		return
	}
	if got := b.file("f.txt"); got != string(before) {
		t.Errorf("staging wrote the file: %q", got)
	}
	if done := b.call("memo_commit", args{"summary": "s"}); done.Status != "committed" {
		t.Fatalf("commit: %s", done.JSON())
	}
	want := c.bytes(t, deref(c.Expect.Result), c.Expect.ResultB64)
	if got := b.file("f.txt"); got != string(want) {
		t.Errorf("file after commit\n got %q\nwant %q", got, want)
	}
	if c.Expect.Amends != "" {
		changed := slices.ContainsFunc(o.PendingChanges, func(p tools.PendingChange) bool {
			return p.ChangeID == c.Expect.Amends && p.Revision == 2
		})
		if !changed || len(o.PendingChanges) != len(c.Pending) {
			t.Errorf("it should amend %s: %s", c.Expect.Amends, o.JSON())
		}
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (c editCase) checkStatus(t *testing.T, o tools.Outcome) {
	t.Helper()
	want := map[string]string{"staged": "editing", "error": "refused"}[c.Expect.Status]
	switch {
	case c.Expect.Status == "refused_any":
		if o.Status == "editing" {
			t.Fatalf("staged: %s", o.JSON())
		}
		if all := o.JSON(); !strings.Contains(all, "change A") && !strings.Contains(all, `"change_id":"A"`) {
			t.Errorf("it does not name the change that holds the text: %s", all)
		}
		return
	case want == "":
		want = c.Expect.Status
	}
	if o.Status != want {
		t.Fatalf("status %s, want %s: %s", o.Status, want, o.JSON())
	}
	if c.Expect.Hint != "" && o.Code != c.Expect.Hint {
		t.Errorf("code %s, want %s: %s", o.Code, c.Expect.Hint, o.JSON())
	}
	if c.Expect.Candidates != 0 && len(o.Candidates) != c.Expect.Candidates {
		t.Errorf("%d candidates, want %d: %s", len(o.Candidates), c.Expect.Candidates, o.JSON())
	}
	if c.Expect.Total != 0 && (o.Total == nil || *o.Total != c.Expect.Total) {
		t.Errorf("total, want %d: %s", c.Expect.Total, o.JSON())
	}
	recommended := 0
	for _, x := range o.Candidates {
		if x.Recommended {
			recommended++
		}
	}
	if len(o.Candidates) > 0 && recommended != 1 {
		t.Errorf("%d candidates are recommended: %s", recommended, o.JSON())
	}
}

// bench is a workspace with an agent session on it, and its tools.
type bench struct {
	t    *testing.T
	home string
	dir  string
	s    person
	cfg  session.Config
	n    int
}

type args map[string]any

func newBench(t *testing.T, files map[string]string, review editing.Policy) *bench {
	t.Helper()
	b := &bench{t: t, home: t.TempDir(), dir: t.TempDir()}
	for name, content := range files {
		b.write(name, content)
	}
	b.cfg = session.Config{Home: b.home, Workspace: b.dir, Specs: tools.Specs(tools.Options{}), Review: review, Model: "test"}
	b.open("")
	return b
}

func (b *bench) open(id string) {
	b.t.Helper()
	b.cfg.ID = id
	s, err := session.Open(b.cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	b.s = person{s}
	b.t.Cleanup(func() { _ = s.Close() })
}

// restart closes the session and opens it again, as another process would.
func (b *bench) restart() {
	b.t.Helper()
	id := b.s.ID()
	if err := b.s.Close(); err != nil {
		b.t.Fatal(err)
	}
	b.open(id)
}

func (b *bench) write(name, content string) {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) file(name string) string {
	b.t.Helper()
	raw, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(raw)
}

// call makes one tool call, journaled as the loop would.
func (b *bench) call(name string, a args) tools.Outcome {
	b.t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		b.t.Fatal(err)
	}
	b.n++
	c := memory.ToolCall{ID: "call" + string(rune('a'+b.n%26)) + string(rune('0'+b.n/26)), Name: name, Arguments: string(raw)}
	must(b.t, b.s.Reply(memory.Message{Role: "assistant", ToolCalls: []memory.ToolCall{c}}, memory.Usage{}))
	o := tools.Run(context.Background(), b.s.Session, c)
	must(b.t, b.s.Answer(c, o.JSON()))
	return o
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
