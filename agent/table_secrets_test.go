//go:build unix

package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

const secretKey = `sk-"Zq0123456789\tail<x>`

// leaks says where a text holds the secret: as it is, or behind the escapes of JSON.
func leaks(text string) bool {
	for range 4 {
		if strings.Contains(text, "Zq0123456789") {
			return true
		}
		text = strings.ReplaceAll(text, `\u005a`, "Z")
	}
	return false
}

// clean checks that no file below the session's folder holds the secret.
func (b *bench) clean() {
	b.t.Helper()
	must(b.t, filepath.WalkDir(b.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if leaks(string(raw)) {
			at := strings.Index(string(raw), "Zq0123456789")
			b.t.Errorf("%s holds the secret: …%s", path, raw[max(0, at-300):at+20])
		}
		return err
	}))
}

func newSecretBench(t *testing.T) *bench {
	b := newBench(t, map[string]string{
		"a.txt": strings.Replace(numbered(30), "line 15\n", "key = "+secretKey+"\n", 1), "AGENTS.md": "use " + secretKey + "\n", "plain.txt": numbered(10),
	}, editing.Ask)
	return b.with(func(cfg *session.Config) {
		cfg.Secrets, cfg.Commands, cfg.System = []string{secretKey}, session.CommandsAllow, "sys "+secretKey
	})
}

// A staging that would have to write a secret into the journal is refused, on its lines too; beside it is allowed.
func TestEditsAtASecret(t *testing.T) {
	b := newSecretBench(t)
	for _, c := range []struct {
		name, tool string
		args       args
		code       string
	}{
		{"the secret itself", "memory_notebook_replace", args{"path": "a.txt", "old_text": "key = [secret]", "new_text": "key = none"}, "no_match"},
		{"on its line", "memory_notebook_replace", args{"path": "a.txt", "old_text": "key = ", "new_text": "the_key = "}, "denied"},
		{"over it", "memory_notebook_replace_span", args{"path": "a.txt", "old_span_start": "line 14\n", "old_span_end": "line 16\n", "new_text": ""}, "denied"},
		{"the whole file", "write", args{"path": "a.txt", "content": "nothing\n"}, "denied"},
		{"the whole file as it was shown", "write", args{"path": "a.txt", "content": strings.Replace(numbered(30), "line 15\n", "key = [secret]\n", 1)}, "no_change"},
		{"a new one", "memo_append", args{"path": "plain.txt", "text": secretKey}, "denied"},
		{"in a note", "write", args{"path": "working-memory/detail/n.md", "content": secretKey}, "denied"},
		{"in a goal", "memo_begin_task", args{"goal": "use " + secretKey}, "denied"},
		{"in a command", "run_command", args{"command": "echo '" + secretKey + "' >f"}, "denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			if o := b.call(c.tool, c.args); o.Code != c.code || o.Hint == "" || o.Status == "editing" {
				t.Errorf("%s, want %s", o.JSON(), c.code)
			}
		})
	}
	b.t = t
	if got := b.states(); got != "" {
		t.Fatalf("staged: %s", got)
	}
	b.replace("a.txt", "line 14\n", "fourteen\n")
	b.replace("a.txt", "line 16\n", "sixteen\n")
	wantIn(t, b.file("a.txt"), secretKey)
	b.restart()
	if got := b.states(); got != "A staged, B staged" {
		t.Fatalf("after a restart: %s", got)
	}
	b.write("a.txt", "above\n"+b.file("a.txt"))
	b.restart()
	if got := b.states(); got != "A staged, B staged" {
		t.Errorf("moved, after a restart: %s", got)
	}
	if o := b.s.CommitEdit(context.Background(), 0, "numbers"); o.Status != "committed" {
		t.Fatalf("%s", o.JSON())
	}
	wantFile(t, b.file("a.txt"), "above\n"+strings.NewReplacer("line 14\n", "fourteen\n", "line 15\n", "key = "+secretKey+"\n", "line 16\n", "sixteen\n").Replace(numbered(30)))
	b.clean()
}

// The user puts a secret where letters are: they stay decidable, nothing of it is journaled, and no mark of it comes into
// his file, also not after a restart.
func TestSecretTypedIntoAChange(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	ctx := context.Background()
	key := "key = " + secretKey + "\n"
	with := func(text string) string { return strings.Replace(text, "line 6\n", key, 1) }
	for name, decide := range map[string]func(b *bench) tools.Outcome{
		"mine":   func(b *bench) tools.Outcome { return b.s.Resolve(ctx, editing.Letters("A")[0], "mine") },
		"agent":  func(b *bench) tools.Outcome { return b.s.Resolve(ctx, editing.Letters("A")[0], "agent") },
		"ask":    func(b *bench) tools.Outcome { return b.s.Resolve(ctx, editing.Letters("A")[0], "ask") },
		"reject": func(b *bench) tools.Outcome { return b.s.Reject(ctx, editing.Letters("A"), secretKey) },
	} {
		for _, typing := range []struct{ name, before, after string }{
			{"on its line and above", numbered(10), strings.Replace(numbered(10), "line 4\nline 5\n", "line 4 "+secretKey+"\nline 5 "+secretKey+"\n", 1)},
			{"behind it", with(numbered(10)), strings.Replace(with(numbered(10)), "line 5\n"+key, "line 5!\n"+key, 1)},
			{"over both", with(numbered(10)), strings.Replace(with(numbered(10)), "line 5\n"+key, "mine\n", 1)},
			{"over all three", with(numbered(10)), strings.Replace(with(numbered(10)), "line 4\nline 5\n"+key, "mine "+secretKey+"\n", 1)},
		} {
			for _, restarts := range []string{"never", "before the decision", "after it"} {
				t.Run(fmt.Sprintf("%s, %s, restarts %s", name, typing.name, restarts), func(t *testing.T) {
					b := newBench(t, map[string]string{"plain.txt": typing.before}, editing.Ask).with(func(cfg *session.Config) { cfg.Secrets = []string{secretKey} })
					b.replace("plain.txt", "line 5\n", "five\n")
					b.replace("plain.txt", "line 9\n", "nine\n")
					b.write("plain.txt", typing.after)
					must(t, b.s.Refresh(ctx))
					if strings.HasPrefix(restarts, "before") {
						b.restart()
					}
					if got := b.states(); got != "A conflict, B staged" {
						t.Fatal(got)
					}
					if o := decide(b); o.Status == "refused" {
						t.Errorf("the decision is refused: %s", o.JSON())
					}
					if strings.HasSuffix(restarts, "after it") {
						b.restart()
					}
					b.s.UndoApplied(ctx, 1)
					b.s.CommitEdit(ctx, 0, "the rest")
					if strings.HasSuffix(restarts, "after it") {
						b.restart()
					}
					b.s.RevertClosed(ctx, 1)
					wantNot(t, b.file("plain.txt"), "[secret]")
					wantIn(t, b.file("plain.txt"), "line 3\n", "line 7\nline 8\n")
					b.clean()
				})
			}
		}
	}
}

// Whatever comes in with the secret inside, no file below the session's folder holds it, no result and no request shows
// it, and the mark that stands for it never comes into the user's files.
func TestSecretsStayHidden(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := secretWalk{bench: newSecretBench(t), rand: rand.New(rand.NewPCG(seed, 1))}
			for range 25 {
				w.step()
			}
			w.clean()
			for _, name := range []string{"a.txt", "plain.txt"} {
				wantNot(t, w.file(name), "[secret]")
			}
		})
	}
}

// secretWalk does what models and people do, with the secret everywhere.
type secretWalk struct {
	*bench
	rand *rand.Rand
}

func (w *secretWalk) one(of ...string) string { return of[w.rand.IntN(len(of))] }

func (w *secretWalk) step() {
	ctx := context.Background()
	line := fmt.Sprintf("line %d\n", 1+w.rand.IntN(30))
	if w.rand.IntN(3) == 0 {
		line = w.one("line 14\n", "line 16\n")
	}
	letter := w.one("A", "B", "C")
	path := w.one("a.txt", "plain.txt")
	switch w.rand.IntN(14) {
	case 0:
		must(w.t, w.s.Prompt("please use "+secretKey+" in "+path))
	case 1:
		w.tool("memo_read", args{"path": path})
		w.tool("search_text", args{"pattern": "key"})
	case 2, 3:
		w.tool("memory_notebook_replace", args{"path": path, "old_text": line, "new_text": "new " + line, "reason": "r"})
	case 4:
		w.tool("memory_notebook_replace", args{"path": path, "old_text": line, "new_text": secretKey})
	case 5:
		w.tool("memory_notebook_replace", args{"path": path, "old_text": "line", "new_text": "LINE"}) // a list of candidates
		w.tool("memo_preview", args{"context_lines": 5, "format": "full"})
	case 6:
		w.tool("write", args{"path": "working-memory/detail/n.md", "content": "note " + secretKey})
		w.tool("memo_export_session", args{"to": "working-memory/detail/log.md"})
		w.tool("memo_export_diff", args{})
	case 7:
		w.tool("run_command", args{"command": "cat AGENTS.md " + path + "; cp a.txt " + secretKey[:2]})
		w.tool("list_files", args{})
	case 8: // the user types it, beside letters and into them, or away
		if key := "key = " + secretKey + "\n"; w.rand.IntN(3) == 0 {
			for _, both := range []string{line + key, key + line} {
				w.write(path, strings.Replace(w.file(path), both, w.one("mine\n", "", line+"mine\n", secretKey+"\n"), 1))
			}
			must(w.t, w.s.Refresh(ctx))
		}
		w.write(path, strings.Replace(w.file(path), line, w.one(
			secretKey+"\n", line+secretKey+"\n", secretKey+line, strings.TrimSpace(line)+secretKey+"\n",
		), 1))
		must(w.t, w.s.Refresh(ctx))
	case 9:
		w.decision(w.s.Apply(ctx, editing.Letters(letter)))
		w.decision(w.s.Comment(ctx, letter, "say "+secretKey))
	case 10:
		w.decision(w.s.Reject(ctx, editing.Letters(letter), "because "+secretKey))
		w.decision(w.s.Unreject(ctx, editing.Letters(letter)))
	case 11:
		w.decision(w.s.Resolve(ctx, editing.Letters(letter)[0], w.one("mine", "agent", "ask")))
		say, _, err := w.s.Notices()
		must(w.t, err)
		w.seen("the news", say)
	case 12:
		must(w.t, w.s.SetTitle("about "+secretKey))
		if w.rand.IntN(2) == 0 {
			w.decision(w.s.CommitEdit(ctx, 0, "done "+secretKey))
		} else {
			w.decision(w.s.RevertEdit(ctx, 0, "wrong "+secretKey))
		}
	case 13:
		w.restart()
	}
	req, _, err := w.s.Request()
	must(w.t, err)
	raw, err := json.Marshal(req)
	must(w.t, err)
	w.seen("the request", string(raw))
	w.seen("the tasks", w.s.TaskTree())
	w.seen("the history", w.s.History())
}

// tool makes a call in a reply that holds the secret wherever a reply can.
func (w *secretWalk) tool(name string, a args) {
	raw, err := json.Marshal(a)
	must(w.t, err)
	w.n++
	c := memory.ToolCall{ID: fmt.Sprint("call", w.n), Name: name, Arguments: string(raw), Extra: json.RawMessage(mustJSON(w.t, args{"thought": secretKey}))}
	must(w.t, w.s.Reply(memory.Message{Role: "assistant", Content: "I use " + secretKey, Reasoning: secretKey, ToolCalls: []memory.ToolCall{c}}, memory.Usage{}))
	res := tools.Run(context.Background(), w.s.Session, c).JSON()
	w.seen(name, res)
	must(w.t, w.s.Answer(c, res+"\n"+secretKey))
}

func (w *secretWalk) decision(o tools.Outcome) {
	if o.Code == "denied" || o.Code == "failed" {
		w.t.Fatalf("a decision is refused: %s", o.JSON())
	}
}

func (w *secretWalk) seen(what, text string) {
	if leaks(text) {
		at := strings.Index(text, "Zq0123456789")
		w.t.Fatalf("%s shows the secret: %s", what, text[max(0, at-200):min(len(text), at+50)])
	}
}
