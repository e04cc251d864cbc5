package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/memory"
)

// recordedTurns is how long the recording is.
const recordedTurns = 60

// recordedScript is what the model does in the recording: reads files, three times several at once, writes its memory, begins
// and ends tasks, and compacts its history in the turns that are given.
func recordedScript(compacts ...int) (s openaitest.Script) {
	call := func(name string, a any) openaitest.Call {
		arguments, _ := json.Marshal(a)
		return openaitest.Call{Name: name, Arguments: arguments}
	}
	read := func(n int) openaitest.Call { return call("memo_read", args{"path": fmt.Sprintf("f%d.txt", n%9)}) }
	step := func(calls ...openaitest.Call) { s.Replies = append(s.Replies, openaitest.Reply{Calls: calls}) }
	for turn := range recordedTurns {
		switch {
		case turn%20 == 5:
			step(read(turn), read(turn+1), read(turn+2), read(turn+3), call("list_files", args{}))
		case turn%6 == 1:
			step(call("memo_append", args{"path": "working-memory/overview.md", "after": "## Open questions", "text": fmt.Sprintf("- question %d", turn)}))
			step(call("memory_event", args{"type": "fact", "text": fmt.Sprintf("fact %d", turn)}))
		case turn%6 == 3:
			step(call("memo_begin_task", args{"goal": fmt.Sprintf("task %d", turn)}))
			step(read(turn))
			step(call("memo_update_task", args{"state": "completed", "summary": "done"}))
		default:
			step(read(turn))
		}
		for _, at := range compacts {
			if at == turn {
				step(call("compact_history", args{"target": "all", "keep_recent": 3, "summary": fmt.Sprintf("What was done up to turn %d.", turn)}))
			}
		}
		s.Replies = append(s.Replies, openaitest.Reply{Text: fmt.Sprintf("That is the answer number %d, in a few words.", turn)})
	}
	return s
}

// recording is what a server was sent in a run of many turns.
type recording struct {
	bodies   [][]byte
	strict   bool
	breaks   int
	most     int // percent of the window
	rescues  int // times that galley made room
	sent     int // tokens
	repeated int // of them, that began the request before in the same way
}

// longRun has a model work on many prompts in one session.
func longRun(t testing.TB, script openaitest.Script, profile openai.Profile, turns int, change func(*session.Config)) *recording {
	t.Helper()
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	server, err := openaitest.Start(script)
	must(t, err)
	t.Cleanup(server.Close)
	m, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "scripted", Profile: profile, Clock: stopwatch{}, Random: func() float64 { return 0.5 }})
	must(t, err)
	dir := t.TempDir()
	for i := range 9 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.txt", i)), []byte(strings.Repeat(fmt.Sprintf("a line of the file %d that somebody reads\n", i), 30)), 0o600))
	}
	cfg := session.Config{Home: t.TempDir(), Workspace: dir, Specs: tools.Specs(tools.Options{}), SmallSpecs: tools.Specs(tools.Options{Few: true}), Model: "scripted", Window: 128_000, History: memory.HistoryAlways}
	if change != nil {
		change(&cfg)
	}
	s, err := session.Open(cfg)
	must(t, err)
	defer func() { must(t, s.Close()) }()
	r := &recording{strict: profile.StrictTurns != nil}
	for turn := range turns {
		out, err := agent.Run(t.Context(), agent.RunConfig{
			Session: agent.Local{Session: s}, Model: m, Prompt: fmt.Sprintf("wish number %d", turn), Events: func(e agent.Event) {
				switch e := e.(type) {
				case agent.StepStarted:
					r.most = max(r.most, e.Percent)
				case agent.Warned:
					if strings.Contains(e.Text, "left it") {
						r.rescues++
					}
				}
			},
		})
		must(t, err)
		if out.Reason != agent.Done {
			t.Fatalf("turn %d: %+v", turn, out)
		}
	}
	if problems := server.Problems(); len(problems) > 0 {
		t.Errorf("the server objects: %q", problems[:min(3, len(problems))])
	}
	for _, req := range server.Requests() {
		if strings.HasSuffix(req.Path, "/chat/completions") {
			r.bodies = append(r.bodies, req.Body)
		}
	}
	r.measure(t)
	return r
}

// measure compares each request with the one before it, without its last block.
func (r *recording) measure(t testing.TB) {
	t.Helper()
	var before []json.RawMessage
	var tools json.RawMessage
	counts := map[string]int{}
	count := func(m json.RawMessage) int {
		n, known := counts[string(m)]
		if !known {
			n = memory.CountTokens(string(m))
			counts[string(m)] = n
		}
		return n
	}
	for i, body := range r.bodies {
		var req struct {
			Messages []json.RawMessage `json:"messages"`
			Tools    json.RawMessage   `json:"tools"`
		}
		must(t, json.Unmarshal(body, &req))
		same := 0
		for same < len(before) && same < len(req.Messages) && r.goesOn(before[same], req.Messages[same], same == len(before)-1) {
			same++
		}
		if i > 0 && (same < len(before) || !bytes.Equal(tools, req.Tools)) {
			r.breaks++
		}
		for k, m := range append(req.Messages, req.Tools) {
			n := count(m)
			r.sent += n
			if i > 0 && (k < same || k == len(req.Messages) && bytes.Equal(tools, req.Tools)) {
				r.repeated += n
			}
		}
		tools, before = req.Tools, req.Messages
		if !r.strict {
			before = before[:len(before)-1] // the last block
		}
	}
}

// goesOn tells whether a message stands there again; in the strict profile the last one of a request has its last block at
// its end.
func (r *recording) goesOn(was, is json.RawMessage, last bool) bool {
	if r.strict && last {
		text, _, found := bytes.Cut(was, []byte(`\n\n<working_memory `))
		return found && bytes.HasPrefix(is, text)
	}
	return bytes.Equal(was, is)
}

func (r *recording) share() float64 { return 100 * float64(r.repeated) / float64(max(r.sent, 1)) }

// Case 15, R26, R27: over 60 turns each request without its last block is how the next one begins, byte for byte, and each
// compaction is one break.
func TestCase15Recording(t *testing.T) {
	yes := true
	for _, row := range []struct {
		name     string
		profile  openai.Profile
		compacts []int
		share    float64 // percent that a server's cache can have at least
	}{
		{"no compaction", openai.Profile{}, nil, 95},
		{"R14 strict, two compactions", openai.Profile{StrictTurns: &yes}, []int{20, 40}, 90},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := longRun(t, recordedScript(row.compacts...), row.profile, recordedTurns, nil)
			if r.breaks != len(row.compacts) || len(r.bodies) < 2*recordedTurns {
				t.Errorf("%d breaks in %d requests", r.breaks, len(r.bodies))
			}
			if share := r.share(); share < row.share {
				t.Errorf("%.1f %% of %d tokens could come from a server's cache", share, r.sent)
			}
		})
	}
}

// BenchmarkRecording tells how much of what is sent a server may have in its cache: the aim is 95 %.
func BenchmarkRecording(b *testing.B) {
	for name, row := range map[string]struct {
		history  string
		compacts []int
	}{"no-compaction": {memory.HistoryAlways, nil}, "two-compactions": {memory.HistoryAlways, []int{20, 40}}, "auto": {memory.HistoryAuto, nil}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := longRun(b, recordedScript(row.compacts...), openai.Profile{}, recordedTurns, func(c *session.Config) { c.History = row.history })
				b.ReportMetric(r.share(), "%cached")
				b.ReportMetric(float64(r.breaks), "breaks")
			}
		})
	}
}

// workingScript is a model that reads a file for each wish, and makes room when it is told to; with it off it never does.
func workingScript(tidy bool) openaitest.Script {
	call := func(name, arguments string) []openaitest.Call {
		return []openaitest.Call{{Name: name, Arguments: json.RawMessage(arguments)}}
	}
	s := openaitest.Script{Loop: true}
	if tidy {
		s.Replies = append(s.Replies,
			openaitest.Reply{When: openaitest.Texts{"tokens_before"}, Text: "I made room."},
			openaitest.Reply{When: openaitest.Texts{"heavy_compression"}, Calls: call("compact_history", `{"target":"all","keep_recent":1,"summary":"Wishes were heard."}`)})
	}
	s.Replies = append(s.Replies,
		openaitest.Reply{When: openaitest.Texts{"a line of the file"}, Text: "That is what it says."},
		openaitest.Reply{When: openaitest.Texts{"wish number"}, Calls: call("memo_read", `{"path":"f1.txt"}`)})
	return s
}

// longTurns is the number of turns of a long run, and a share of it by default.
func longTurns() int {
	if os.Getenv("GALLEY_LONG") != "" {
		return 200
	}
	return 30
}

// A small window holds for as long as the model makes room when it is told to: galley never has to.
func TestTurnsByTheModelsOwnDoingLong(t *testing.T) {
	r := longRun(t, workingScript(true), openai.Profile{}, longTurns(), func(c *session.Config) { c.Window = 8192 })
	if r.rescues > 0 || r.most >= 75 || r.breaks == 0 {
		t.Errorf("%d %% at most, galley made room %d times, the model %d times", r.most, r.rescues, r.breaks)
	}
}

// Where the model never does, the last resort keeps each request within the window.
func TestTurnsByTheLastResortLong(t *testing.T) {
	r := longRun(t, workingScript(false), openai.Profile{}, longTurns(), func(c *session.Config) { c.Window = 8192 })
	if r.rescues == 0 || r.most > 100 {
		t.Errorf("%d %% at most, galley made room %d times", r.most, r.rescues)
	}
}
