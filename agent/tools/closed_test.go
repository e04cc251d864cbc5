package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// actor plays a model that works with a session, as the loop would.
type actor struct {
	t *testing.T
	s *session.Session
	n int
}

func (a *actor) says(prompt string) {
	a.t.Helper()
	must(a.t, a.s.Prompt(prompt))
}

func (a *actor) answers(text string) {
	a.t.Helper()
	must(a.t, a.s.Reply(memory.Message{Role: memory.RoleAssistant, Content: text}, memory.Usage{}))
}

// calls makes a call in a reply of its own; arguments are names and values by turns.
func (a *actor) calls(tool string, arguments ...any) Outcome {
	a.t.Helper()
	args := map[string]any{}
	for i := 0; i+1 < len(arguments); i += 2 {
		args[arguments[i].(string)] = arguments[i+1]
	}
	data, err := json.Marshal(args)
	must(a.t, err)
	a.n++
	c := memory.ToolCall{ID: fmt.Sprint("call", a.n), Name: tool, Arguments: string(data)}
	_, _, err = a.s.Request()
	must(a.t, err)
	must(a.t, a.s.Reply(memory.Message{Role: memory.RoleAssistant, ToolCalls: []memory.ToolCall{c}}, memory.Usage{}))
	o := Run(a.t.Context(), a.s, c)
	must(a.t, a.s.Answer(c, o.JSON()))
	return o
}

// request is the next one, without the last block.
func (a *actor) request() string {
	a.t.Helper()
	req, _, err := a.s.Request()
	must(a.t, err)
	var sb strings.Builder
	for _, m := range req.Messages[1 : len(req.Messages)-1] {
		sb.WriteString(m.Role + ": " + m.Content + "\n")
		for _, c := range m.ToolCalls {
			sb.WriteString("→ " + c.Name + " " + c.Arguments + "\n")
		}
	}
	return sb.String()
}

func (a *actor) overview() string {
	a.t.Helper()
	text, _, err := a.s.Memory().Read("overview.md")
	must(a.t, err)
	return text
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func has(t *testing.T, text string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func hasNot(t *testing.T, text string, all ...string) {
	t.Helper()
	for _, no := range all {
		if strings.Contains(text, no) {
			t.Errorf("%q is in\n%s", no, text)
		}
	}
}

// limiter is a session on a file of testdata, whose edit waits for the user.
func limiter(t *testing.T, change ...func(*session.Config)) *actor {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "limiter.go.txt"))
	must(t, err)
	return &actor{t: t, s: opened(t, append(change, func(cfg *session.Config) {
		cfg.Review = editing.Ask
		must(t, os.WriteFile(filepath.Join(cfg.Workspace, "limiter.go"), source, 0o600))
	})...)}
}

func (a *actor) worksOnLimiter() {
	a.t.Helper()
	a.says("Let the limiter wait a minute.")
	a.calls("memo_begin_task", "goal", "let the limiter wait a minute")
	a.calls("search_text", "query", "time.Second")
	a.calls("memo_read", "path", "limiter.go")
	a.calls("memory_notebook_replace", "path", "limiter.go", "old_text", "Timeout: 30 * time.Second", "new_text", "Timeout: 60 * time.Second", "reason", "a minute")
	a.calls("memory_notebook_replace", "path", "limiter.go", "old_text", "return ErrLimited", "new_text", `return fmt.Errorf("%s: %w", client, ErrLimited)`, "reason", "say whose")
	a.calls("memo_read", "path", "limiter.go")
	a.calls("memo_preview", "format", "full")
}

// The worked example: an edit of about 5,000 tokens is a block of about 200 when its
// editing session is closed, and the block tells letters, places, texts, decisions and totals.
func TestWorkedCommit(t *testing.T) {
	a := limiter(t)
	a.worksOnLimiter()
	a.says("Apply A. Remember that ErrLimited stays as it is, in config.go too. What is B for?")
	if res, err := a.s.Decide(session.Apply(editing.Letters("A"))); err != nil || !res.OK() {
		t.Fatal(res, err)
	}
	if res, err := a.s.Decide(session.Reject(editing.Letters("B"), "keep the sentinel")); err != nil || !res.OK() {
		t.Fatal(res, err)
	}
	o := a.calls("memo_commit", "summary", "the limiter waits a minute", "decisions", []string{"waits are minutes"})
	if o.Status != StatusCommitted {
		t.Fatal(o.JSON())
	}
	block := a.s.Context().Categories.Folds
	if from := o.HistoryDelta.TokensSaved + block; from < 4500 || from > 5500 || block < 150 || block > 250 {
		t.Errorf("%d tokens became %d, they should fall from about 5,000 to about 200", from, block)
	}
	text := a.request()
	has(t, text,
		`<editing_session id="sess-1" state="committed" task="#1 let the limiter wait a minute">`, "summary: the limiter waits a minute\n",
		"changes: 1 replacement, ±0 chars\n", "- A applied: limiter.go:", `30 * time.Second`, `60 * time.Second`,
		"- B rejected: limiter.go (keep the sentinel)\n",
		"key decisions: waits are minutes; the user rejected a change of limiter.go: keep the sentinel; the user: Remember that ErrLimited stays as it is, in config.go too.",
		"files now: limiter.go (sha256 ",
	)
	hasNot(t, text, "package limiter", `%s: %w`)
	has(t, a.overview(), "the user rejected a change of limiter.go: keep the sentinel", "Remember that ErrLimited stays", "waits are minutes")

	// What is taken back later is not told as if it stood.
	if res, err := a.s.Decide(session.UndoClosed(1)); err != nil || !res.OK() {
		t.Fatal(res, err)
	}
	_, _, err := a.s.Notices()
	must(t, err)
	text = a.request()
	has(t, text, `<editing_session id="sess-1" state="committed"`, "tried, committed, then taken back by the user", "Remember that ErrLimited stays", "waits are minutes")
	hasNot(t, text, "60 * time.Second")
}

// A commit that is taken back is open again: its block says so, without its text, until it
// is committed once more.
func TestWorkedCommitTakenBack(t *testing.T) {
	a := limiter(t)
	a.worksOnLimiter()
	a.calls("memo_commit", "summary", "the limiter waits")
	if res, err := a.s.Decide(session.Commit(1, "the limiter waits", nil)); err != nil || !res.OK() {
		t.Fatal(res, err)
	}
	_, _, err := a.s.Notices()
	must(t, err)
	has(t, a.request(), `<editing_session id="sess-1" state="committed"`, "summary: the limiter waits\n")
	w, err := memory.OpenWorkspace(t.Context(), a.s.Settings().Home, a.s.Workspace(), func(context.Context) (func(), error) { return func() {}, nil })
	must(t, err)
	if res, err := a.s.Decide(session.Undo(w.Decisions()[0])); err != nil || !res.OK() {
		t.Fatal(res, err)
	}
	notices, _, err := a.s.Notices()
	must(t, err)
	has(t, fmt.Sprint(notices), "the user took back: #1 committed (A, B)")
	text := a.request()
	has(t, text, `<editing_session id="sess-1" state="proposed"`, "taken back by the user, and waits for them again: the limiter waits\n")
	hasNot(t, text, `state="committed"`)
	if res, err := a.s.Decide(session.Commit(1, "the limiter waits after all", nil)); err != nil || !res.OK() {
		t.Fatal(res, err)
	}
	_, _, err = a.s.Notices()
	must(t, err)
	text = a.request()
	has(t, text, `<editing_session id="sess-1" state="committed"`, "summary: the limiter waits after all\n")
	hasNot(t, text, "waits for them again")
}

// Case 21: a reverted attempt stays as "tried, reverted, why", its files with their hashes,
// and nothing of its text as if it were current.
func TestCase21RevertAnEditingSession(t *testing.T) {
	a := limiter(t)
	source, err := a.s.Files().Read(filepath.Join(a.s.Workspace(), "limiter.go"))
	must(t, err)
	a.worksOnLimiter()
	a.calls("memo_revert", "reason", "the tests need 30 seconds")
	text := a.request()
	has(t, text, "tried, reverted: the tests need 30 seconds\n", "files now: limiter.go (sha256 "+source.Hash().String()[:12]+")")
	hasNot(t, text, "60 * time.Second", `%s: %w`, "package limiter")
}

// memory.review: each write to the memory is journaled with what it changed and where that
// comes from, and the person hears of it unless they do not want to.
func TestMemoryWrites(t *testing.T) {
	a := &actor{t: t, s: opened(t)}
	a.says("Note this: we always deploy on Fridays, never before noon.")
	a.calls("read", "path", "b.go")
	said := a.calls("write", "path", "working-memory/detail/deploy.md", "content", "# Deploy\n\n- We always deploy on Fridays, never before noon.\n")
	if w := said.Wrote; w == nil || w.Path != "working-memory/detail/deploy.md" || w.Added != 3 || w.From != "said by you" || w.Hash == "" {
		t.Errorf("%+v", w)
	}
	read := a.calls("memo_append", "path", "working-memory/detail/deploy.md", "text", "x <- y && z > 1\n")
	if w := read.Wrote; w == nil || w.Added != 1 || w.Removed != 0 || w.From != "from b.go" {
		t.Errorf("%+v", w)
	}
	own := a.calls("memory_event", "type", "fact", "text", "the key is "+secret[:4])
	if w := own.Wrote; w == nil || w.Path != "working-memory/overview.md" || own.Status != StatusOK {
		t.Errorf("%+v %s", w, own.JSON())
	}
	a.calls("write", "path", "working-memory/detail/secret.md", "content", strings.Repeat("a long line of a file\n", 1000))
	a.calls("memo_read", "path", "working-memory/detail/secret.md")
	a.calls("write", "path", "working-memory/detail/secret.md", "content", "short\n")
	var told []string
	for _, w := range a.s.MemoryLog() {
		told = append(told, fmt.Sprintf("%s by %s %s +%d -%d %s", w.Path, w.By, w.What, w.Added, w.Removed, strings.Fields(w.From + " -")[0]))
	}
	has(t, strings.Join(told, "\n"), "detail/deploy.md by agent  +3 -0 said", "detail/deploy.md by agent  +1 -0 from", "overview.md by agent fact", "detail/secret.md by agent  +1000 -0 from", "detail/secret.md by agent  +1 -1000 from")
	must(t, a.s.Renew(func(c *session.Config) { c.Unseen = true }))
	if o := a.calls("memo_append", "path", "working-memory/detail/deploy.md", "text", "and more\n"); o.Wrote != nil || o.Status != StatusOK {
		t.Errorf("%+v", o.Wrote)
	}
}

// Case 22: what left the requests is found by what stands in its place, by its words, by a
// file and by number: the original bytes, with the entries that left together. It comes as
// the result of a call, and nothing before that call changes.
func TestCase22Retrieve(t *testing.T) {
	a := limiter(t)
	a.worksOnLimiter()
	a.calls("memo_commit", "summary", "the limiter waits a minute")
	if res, err := a.s.Decide(session.Commit(0, "", nil)); err != nil || !res.OK() {
		t.Fatal(res, err)
	}
	a.says("What else is there?")
	source, err := os.ReadFile(filepath.Join("testdata", "limiter.go.txt"))
	must(t, err)
	only := "after which a client is forgotten"
	before := a.request()
	hasNot(t, before, only)
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{"query", "the limiter waits a minute"}, "editing_session id=\"sess-1\" state=\"committed\""}, // by what stands there
		{[]any{"query", "FORGOTTEN"}, only},
		{[]any{"file", "limiter.go"}, "memory_notebook_replace"},
	} {
		o := a.calls("query_history", c.args...)
		if o.Status != StatusOK || o.Text == nil {
			t.Fatalf("%v: %s", c.args, o.JSON())
		}
		has(t, *o.Text, c.want, "*folded, with the entries ")
	}
	if after := a.request(); !strings.HasPrefix(after, before) {
		t.Error("looking back has changed what was said before")
	}
	found := a.s.Find(memory.JournalQuery{Text: only, Types: memory.Told}, 0)
	if len(found) == 0 || found[0].From == 0 || found[0].From > found[0].Seq || found[0].Seq > found[0].To {
		t.Fatalf("%+v", found)
	}
	whole := a.calls("query_history", "entry", found[0].Seq)
	var lines []string
	for l := range strings.Lines(*whole.Text) {
		if _, line, ok := strings.Cut(l, "│"); ok {
			lines = append(lines, line)
		}
	}
	if got := strings.Join(lines, ""); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(string(source), "\n") {
		t.Errorf("got %q", got)
	}
	if o := a.calls("query_history", "entry", found[0].From, "through", found[0].From+2); strings.Count("\n"+*o.Text, "\n## ") != 3 {
		t.Errorf("%s", *o.Text)
	}

	// A summary is found behind a later one, too.
	for _, name := range []string{"first", "second"} {
		for i := range 4 {
			a.says(fmt.Sprint(name, " wish ", i))
			a.calls("read", "path", "limiter.go")
			a.answers("It is read.")
		}
		if o := a.calls("compact_history", "target", "conversation", "strategy", "summarize", "summary", "the "+name+" summary of wishes", "keep_recent", 1); o.Status != StatusOK {
			t.Fatal(o.JSON())
		}
	}
	o := a.calls("query_history", "query", "first summary of wishes", "limit", 50)
	if n := strings.Count(*o.Text, "\nsummary: the first summary of wishes"); n != 2 {
		t.Errorf("%d blocks are found, the first and the one that stands in its place are two:\n%s", n, *o.Text)
	}
	has(t, *o.Text, "with the entries ", "working-memory/")
	if o := a.calls("query_history", "query", "first wish 2", "limit", 50); !strings.Contains(*o.Text, "· user ·") {
		t.Error(*o.Text)
	}
}

// Key decisions are found in what was said: answers to questions, places that the user
// picked, what is to be remembered; those that a model names only as far as they stand there.
func TestKeyDecisions(t *testing.T) {
	asked := ""
	a := &actor{t: t, s: opened(t, func(c *session.Config) {
		c.Decisions = func(_ context.Context, text string) ([]string, memory.Usage, error) {
			asked = text
			return []string{"- keep the old name for callers", "the moon is made of cheese", "", "keep the old name for callers"}, memory.Usage{Input: 500, Output: 20}, nil
		}
	})}
	a.says("Change one of them.")
	o := a.calls("memory_notebook_replace", "path", "a.txt", "old_text", "one", "new_text", "1", "reason", "r")
	if o.Code != CodeAmbiguous {
		t.Fatal(o.JSON())
	}
	a.answers("There are two places, A and B. Which one do you mean?")
	a.says("B, and keep the old name for callers. Don't forget the tests! Do you remember me? From now on use tabs in config.go. My key is " + secret + ", remember it.")
	a.calls("memory_notebook_replace", "path", "a.txt", "old_text", "one", "new_text", "1", "match_id", "B", "reason", "r")
	a.calls("memo_commit", "summary", "the second", "decisions", []string{"numbers are digits"})
	overview := a.overview()
	has(t, overview,
		"- numbers are digits", "- keep the old name for callers",
		`asked "Which one do you mean?", the user answered "B, and keep the old name`, `the user picked place B of "one" in a.txt`,
		"- the user: Don't forget the tests!", "- the user: From now on use tabs in config.go.",
	)
	hasNot(t, overview, "moon", "the user: Do you remember", secret)
	if strings.Count(overview, "- keep the old name for callers") != 1 || !strings.Contains(asked, "Which one do you mean?") || strings.Contains(asked, secret) {
		t.Errorf("asked about %q:\n%s", asked, overview)
	}
}

func TestNoDecisionsOfABrokenModel(t *testing.T) {
	a := &actor{t: t, s: opened(t, func(c *session.Config) {
		c.Decisions = func(context.Context, string) ([]string, memory.Usage, error) {
			return []string{"x"}, memory.Usage{}, errors.New("no route")
		}
	})}
	a.says("Change two.")
	a.calls("memory_notebook_replace", "path", "a.txt", "old_text", "two", "new_text", "2", "reason", "r")
	if o := a.calls("memo_commit", "summary", "two"); o.Status != StatusCommitted {
		t.Error(o.JSON())
	}
	has(t, strings.Join(a.s.Warnings(), "\n"), "named no key decisions: no route")
}
