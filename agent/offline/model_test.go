package offline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// talk is a conversation with the offline model whose tools are played by the test.
type talk struct {
	t        *testing.T
	messages []memory.Message
	ids      map[string]bool
}

// step is a call that the model must make, as tool and arguments, and what the tool answers.
type step struct{ call, answer string }

func newTalk(t *testing.T) *talk {
	return &talk{t: t, ids: map[string]bool{}, messages: []memory.Message{
		{Role: "system", Content: "You edit."},
		{Role: "user", Content: "<agents path=\"AGENTS.md\">\nreplace nothing\n</agents>"},
	}}
}

func (k *talk) user(text string) {
	k.messages = append(k.messages, memory.Message{Role: "user", Content: text})
}

// prompt gives an instruction, plays the steps and returns the closing reply.
func (k *talk) prompt(text string, steps ...step) string {
	k.t.Helper()
	k.user(text)
	return k.play(steps...)
}

// play lets the model go on; each step must be just what it asks for.
func (k *talk) play(steps ...step) string {
	k.t.Helper()
	for _, s := range steps {
		k.call(s.call)
		k.answer(s.answer)
	}
	m := k.stream()
	if len(m.ToolCalls) > 0 {
		k.t.Fatalf("unexpected call %s %s, said with:\n%s", m.ToolCalls[0].Name, m.ToolCalls[0].Arguments, m.Content)
	}
	return m.Content
}

// call lets the model make its next call and returns what it says with it.
func (k *talk) call(want string) string {
	k.t.Helper()
	m := k.stream()
	if len(m.ToolCalls) != 1 {
		k.t.Fatalf("want the call %s, got the reply:\n%s", want, m.Content)
	}
	c := m.ToolCalls[0]
	if got := strings.TrimSuffix(c.Name+" "+c.Arguments, " {}"); got != want {
		k.t.Fatalf("call\n got %s\nwant %s", got, want)
	}
	if k.ids[c.ID] || len(c.ID) > 40 {
		k.t.Errorf("id %s is taken or too long", c.ID)
	}
	k.ids[c.ID] = true
	return m.Content
}

func (k *talk) answer(content string) {
	calls := k.messages[len(k.messages)-1].ToolCalls
	k.messages = append(k.messages, memory.Message{Role: "tool", ToolCallID: calls[0].ID, Content: content})
}

// stream asks twice, since the same request must give the same reply, and keeps one.
func (k *talk) stream() memory.Message {
	k.t.Helper()
	block := memory.Message{Role: "user", Content: "<working_memory path=\"working-memory/overview.md\">\ncommit\n</working_memory>"}
	request := memory.Request{Messages: append(slices.Clone(k.messages), block)}
	var text strings.Builder
	reply, err := New().Stream(context.Background(), request, func(d model.Delta) { text.WriteString(d.Text) })
	if err != nil {
		k.t.Fatal(err)
	}
	again, _ := New().Stream(context.Background(), request, func(model.Delta) {})
	if text.String() != reply.Message.Content || fmt.Sprint(reply) != fmt.Sprint(again) {
		k.t.Errorf("told %q, returned %v, then %v", text.String(), reply, again)
	}
	if strings.TrimSpace(reply.Message.Content) == "" {
		k.t.Error("a reply without text")
	}
	k.messages = append(k.messages, reply.Message)
	return reply.Message
}

// fold replaces the messages from, to (excluded) by a block, as the closing of an editing session does.
func (k *talk) fold(from, to int) {
	block := memory.Message{Role: "user", Content: "<edit id=\"sess-1\">\ncommitted\n</edit>"}
	k.messages = slices.Concat(k.messages[:from], []memory.Message{block}, k.messages[to:])
}

func wantText(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("the reply lacks %q:\n%s", p, got)
		}
	}
}

func wantNone(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(got, p) {
			t.Errorf("the reply holds %q:\n%s", p, got)
		}
	}
}

const (
	okTask    = `{"status":"ok","task":{"id":"1","state":"active","goal":"enable X"}}`
	okRead    = `{"status":"ok","path":"f","total_lines":2,"chars":4,"text":"1:aaaa  │a\n2:bbbb  │b"}`
	stagedA   = `{"status":"editing","session_id":"sess-1","pending_changes":[{"change_id":"A","path":"f","line":1,"delta":1,"preview":"x"}]}`
	stagedAB  = `{"status":"editing","session_id":"sess-1","pending_changes":[{"change_id":"A","path":"f","line":1},{"change_id":"B","path":"f","line":5,"preview":"x"}]}`
	committed = `{"status":"committed","session_id":"sess-1","summary":"enable X","applied_changes":1,"files":["f"],"history_delta":{"messages_removed":4,"tokens_saved":2500},"task":{"id":"1","state":"completed"}}`
	proposed  = `{"status":"proposed","session_id":"sess-1","summary":"enable X","pending_changes":[{"change_id":"A","path":"f","line":1}]}`
	three     = `{"status":"needs_match","code":"ambiguous","session_id":"sess-1","path":"f","total":3,"candidates":[
		{"match_id":"A","line":12,"text":"  timeout: 30","context":"# database"},
		{"match_id":"B","line":45,"text":"  timeout: 30","context":"# api","recommended":true,"why":"nearest to the cursor"},
		{"match_id":"C","line":78,"text":"  timeout: 30","context":"# cache"}]}`
	near    = `{"status":"needs_match","code":"near_match","session_id":"sess-1","total":1,"candidates":[{"match_id":"A","line":3,"text":"timeout 30","diff":"-30\n+ 30","recommended":true}]}`
	noMatch = `{"status":"not_found","code":"no_match","hint":"line 3 differs: \"b\""}`
	cutOff  = `The call was not answered.`
	replAB  = `memory_notebook_replace {"new_text":"b","old_text":"a","path":"f"}`
)

func TestWalk(t *testing.T) {
	k := newTalk(t)
	k.user(`task "enable X" then read f then replace "a" with "b" in f then commit "enable X" then list`)
	wantText(t, k.call(`memo_begin_task {"goal":"enable X"}`), `Step 1 of 5: task "enable X"`)
	k.answer(okTask)
	k.call(`memo_read {"path":"f"}`)
	k.answer(okRead)
	k.call(replAB)
	k.answer(stagedA)
	wantText(t, k.call(`memo_commit {"summary":"enable X"}`), "Step 4 of 5", "Still to do: list")
	k.answer(committed)
	k.fold(5, 9) // all but the begin and the commit
	got := k.play(step{`list_files`, `{"status":"ok","files":["f","g"],"total":2}`})
	wantText(t, got, `Committed “enable X”: 1 change in f.`, "Task #1 is completed.", "4 messages folded away, about 2500 tokens fewer", "2 files.\n  f\n  g")
	wantNone(t, got, "Staged", "commit \"…\"")
	wantText(t, k.play(), "I am done")
}

func TestAmbiguousThenPick(t *testing.T) {
	k := newTalk(t)
	got := k.prompt(`replace "a" with "b" in f then commit "x"`, step{replAB, three})
	wantText(t, got, "“a” stands in f in 3 places", "A  line 12  timeout: 30  (# database)", "← recommended: nearest to the cursor",
		"pick B; or several: pick A, B; or each: pick all", "The list stays open", `Not done: commit "x"`)
	got = k.prompt(`pick B`, step{pickAB("B"), stagedA})
	wantText(t, got, "Staged: A in f (line 1).", "Nothing is written yet")
	got = k.prompt(`pick a and c then commit`,
		step{pickAB("A"), stagedAB}, step{pickAB("C"), stagedAB},
		step{`memo_commit {"summary":"replace “a” with “b” in f"}`, committed})
	wantText(t, got, "Committed")
	got = k.prompt(`pick A`)
	wantText(t, got, "no open list")
}

func pickAB(letter string) string {
	return fmt.Sprintf(`memory_notebook_replace {"match_id":%q,"new_text":"b","old_text":"a","path":"f"}`, letter)
}

func TestPick(t *testing.T) {
	t.Run("in the same instruction", func(t *testing.T) {
		got := newTalk(t).prompt(`replace "a" with "b" in f then pick A`, step{replAB, three}, step{pickAB("A"), stagedA})
		wantText(t, got, "Staged: A")
	})
	t.Run("all", func(t *testing.T) {
		got := newTalk(t).prompt(`replace "a" with "b" in f then pick all`, step{replAB, three}, step{pickAB("all"), stagedAB})
		wantText(t, got, "Staged: A and B in f (lines 1 and 5)")
	})
	t.Run("refused", func(t *testing.T) {
		got := newTalk(t).prompt(`replace "a" with "b" in f then pick F then preview`, step{replAB, three},
			step{pickAB("F"), `{"status":"refused","code":"unknown_match_id","hint":"A to C"}`})
		wantText(t, got, "no candidate with this letter", "A to C", "Not done: preview")
	})
	t.Run("nothing was ambiguous", func(t *testing.T) {
		k := newTalk(t)
		k.prompt(`replace "x" with "y" in g`, step{`memory_notebook_replace {"new_text":"y","old_text":"x","path":"g"}`, three})
		got := k.prompt(`replace "a" with "b" in f then pick B`, step{replAB, stagedA})
		wantText(t, got, "no open list", "Staged: A")
	})
	t.Run("the person has closed it", func(t *testing.T) {
		k := newTalk(t)
		k.prompt(`replace "a" with "b" in f`, step{replAB, three})
		k.user("[galley] #1 is reverted (history: 2 messages folded)")
		wantText(t, k.prompt(`pick A`), "no open list")
	})
	t.Run("a near match", func(t *testing.T) {
		k := newTalk(t)
		got := k.prompt(`replace "a" with "b" in f`, step{replAB, near})
		wantText(t, got, "is not in f word for word", "-30\n  + 30", "Say which: pick A.")
		wantText(t, k.prompt(`pick A`, step{pickAB("A"), stagedA}), "Staged: A")
	})
	t.Run("a list of another model", func(t *testing.T) {
		k := newTalk(t)
		k.user("do it")
		k.messages = append(k.messages, memory.Message{Role: "assistant", ToolCalls: []memory.ToolCall{
			{ID: "x", Name: "memory_notebook_replace_span", Arguments: `{"old_span_start":"a","old_span_end":"<z>","new_text":"","preview_only":true}`},
		}})
		k.answer(three)
		k.messages = append(k.messages, memory.Message{Role: "assistant", Content: "Which one?"})
		k.prompt(`pick C`, step{`memory_notebook_replace_span {"match_id":"C","new_text":"","old_span_end":"<z>","old_span_start":"a"}`, stagedA})
	})
}

func TestEverywhere(t *testing.T) {
	all := func(id string) string {
		args := map[string]any{"old_text": "a", "new_text": "b", "path": "f", "show_all_matches": true}
		if id != "" {
			args["match_id"] = id
		}
		return "memory_notebook_replace " + arguments(args)
	}
	const prompt = `replace "a" with "b" in f everywhere then commit "x"`
	commit := step{`memo_commit {"summary":"x"}`, committed}
	cutList := strings.Replace(three, `"total":3`, `"total":5`, 1)
	rest := `{"status":"needs_match","code":"ambiguous","total":2,"candidates":[{"match_id":"D"},{"match_id":"E"}]}`
	for _, row := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"one place", []step{{all(""), stagedA}, commit}, "Committed"},
		{"three places", []step{{all(""), three}, {all("all"), stagedAB}, commit}, "Committed"},
		{"more than the list shows", []step{{all(""), cutList}, {all("all"), stagedA}, {all(""), rest}, {all("all"), stagedAB}, commit}, "Committed"},
		{"the rest is one", []step{{all(""), cutList}, {all("all"), stagedA}, {all(""), stagedA}, commit}, "Committed"},
		{"the rest is gone", []step{{all(""), cutList}, {all("all"), stagedA}, {all(""), noMatch}, commit}, "Committed"},
		{"no place", []step{{all(""), noMatch}}, "the text is not there"},
		{"only a near one", []step{{all(""), near}}, "I do not take it by myself"},
		{"letters run out", []step{{all(""), three}, {all("all"), `{"status":"refused","code":"letters_full","hint":"wait for the review"}`}}, "all 26 letters are in use"},
		{"taken already", []step{{all(""), three}, {all("all"), cutOff}, {all("all"), `{"status":"refused","code":"match_used"}`}, commit}, "Committed"},
	} {
		t.Run(row.name, func(t *testing.T) { wantText(t, newTalk(t).prompt(prompt, row.steps...), row.want) })
	}
}

func TestFailures(t *testing.T) {
	for _, row := range []struct {
		name, prompt string
		steps        []step
		want         []string
	}{
		{
			"stops before the commit", `read f then replace "a" with "b" in f then list then commit`,
			[]step{{`memo_read {"path":"f"}`, okRead}, {replAB, noMatch}},
			[]string{"the text is not there", `line 3 differs: "b"`, "Not done: list then commit"},
		},
		{
			"commit failed", `commit "x"`,
			[]step{{`memo_commit {"summary":"x"}`, `{"status":"refused","code":"commit_failed","files":[{"path":"g","code":"denied","message":"read-only"}]}`}},
			[]string{"nothing was written", "g: read-only"},
		},
		{"a code of a later day", `preview`, []step{{`memo_preview`, `{"status":"refused","code":"tired"}`}}, []string{"the tool answered refused tired"}},
		{"staged already", `replace "a" with "b" in f`, []step{{replAB, `{"status":"refused","code":"already_pending","session_id":"sess-1"}`}}, []string{"staged already"}},
		{"an anchor in several places", `replace "a" with "b" in f after "x"`, []step{{
			`memory_notebook_replace {"new_text":"b","old_text":"a","path":"f","search_after":"x"}`,
			`{"status":"needs_match","code":"ambiguous_anchor","hint":"give a longer anchor"}`,
		}}, []string{"anchor", "give a longer anchor"}},
	} {
		t.Run(row.name, func(t *testing.T) { wantText(t, newTalk(t).prompt(row.prompt, row.steps...), row.want...) })
	}
}

func TestOrders(t *testing.T) {
	for _, row := range []struct{ prompt, call, answer, want string }{
		{`delete "a" in f because "unused"`, `memory_notebook_replace {"new_text":"","old_text":"a","path":"f","reason":"unused"}`, stagedA, "Staged: A in f"},
		{`delete f because "unused"`, `delete_file {"path":"f","reason":"unused"}`, stagedA, "Staged: A in f"},
		{`create f with "x"`, `write {"content":"x","path":"f"}`, stagedA, "Staged: A in f"},
		{`create f with ""`, `write {"content":"","path":"f"}`, stagedA, "Staged: A in f"},
		{`rename f to d/g`, `rename_file {"path":"f","to":"d/g"}`, stagedA, "Staged: A in f"},
		{`append "<x>" to f after "# H"`, `memo_append {"after":"# H","path":"f","text":"<x>"}`, stagedA, "Staged: A"},
		{`read f`, `memo_read {"path":"f"}`, okRead, "Read f: 2 lines, 4 characters.\n1:aaaa  │a"},
		{`search "x" in f`, `search_text {"path":"f","pattern":"x"}`, `{"status":"ok","total":7,"matches":[{"path":"f","line":3,"text":" x "}]}`, "“x” was found in 7 lines.\n  f:3: x"},
		{`list *.go`, `list_files {"glob":"*.go"}`, `{"status":"ok","files":[]}`, "0 files."},
		{`preview`, `memo_preview`, `{"status":"ok","preview":"📝 Editing session #1\n"}`, "📝 Editing session #1"},
		{`task "g"`, `memo_begin_task {"goal":"g"}`, okTask, "Task #1 begun: enable X."},
		{`commit "s" because "d"`, `memo_commit {"decisions":["d"],"summary":"s"}`, proposed, "Proposed “enable X”.\nWaiting for your decision: A in f (line 1)."},
		{`commit`, `memo_commit {"summary":"changes made by instruction"}`, committed, "Committed"},
		{`commit auto`, `memo_commit_auto`, committed, "Committed"},
		{`revert "why"`, `memo_revert {"reason":"why"}`, `{"status":"reverted","session_id":"sess-1","task":{"id":"1","state":"reverted"}}`, "Reverted: what was staged is thrown away. Task #1 is reverted."},
		{`drop A because "why"`, `memo_drop {"change_id":"A","reason":"why"}`, `{"status":"ok","session_id":"sess-1","pending_changes":[]}`, "A is taken back."},
	} {
		t.Run(row.prompt, func(t *testing.T) {
			wantText(t, newTalk(t).prompt(row.prompt, step{row.call, row.answer}), row.want)
		})
	}
}

func TestCommitTakesTheGoalAsSummary(t *testing.T) {
	newTalk(t).prompt(`task "enable X" then replace "a" with "b" in f then commit`,
		step{`memo_begin_task {"goal":"enable X"}`, okTask}, step{replAB, stagedA}, step{`memo_commit {"summary":"enable X"}`, committed})
}
