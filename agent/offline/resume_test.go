package offline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

func TestDecisions(t *testing.T) {
	const answer = "B was rejected: keep the old name — I leave it as it is."
	const notices = "[galley] A applied; B rejected: 'keep the old name'; C applied as the user changed it: x; you typed in notes.md:12"
	t.Run("between two steps", func(t *testing.T) {
		k := newTalk(t)
		k.user(`replace "a" with "b" in f then preview`)
		k.call(replAB)
		k.answer(stagedAB)
		k.user(notices)
		wantText(t, k.call(`memo_preview`), answer, "Step 2 of 2")
		k.answer(`{"status":"ok","preview":"…"}`)
		wantNone(t, k.play(), answer, "Staged") // answered once, and both letters are decided
	})
	t.Run("before the next prompt", func(t *testing.T) {
		k := newTalk(t)
		k.prompt(`replace "a" with "b" in f`, step{replAB, stagedAB})
		k.user(notices)
		k.user(`list`)
		wantText(t, k.call(`list_files`), answer)
	})
	t.Run("without a prompt", func(t *testing.T) {
		k := newTalk(t)
		k.prompt(`replace "a" with "b" in f`, step{replAB, stagedAB})
		k.user(notices)
		got := k.play()
		wantText(t, got, answer)
		wantNone(t, got, "I am done")
	})
	t.Run("in the answer of a commit", func(t *testing.T) {
		got := newTalk(t).prompt(`commit "x"`, step{
			`memo_commit {"summary":"x"}`,
			`{"status":"committed","session_id":"sess-1","summary":"x","decisions":[{"change_id":"A","state":"applied"},{"change_id":"B","state":"rejected","reason":"keep the old name"}]}`,
		})
		wantText(t, got, answer)
	})
}

func TestRejections(t *testing.T) {
	for _, row := range []struct{ message, want string }{
		{"[galley] A applied", ""},
		{"[galley] B rejected", "B:"},
		{"[galley] B rejected: 'no'", "B:no"},
		{"[galley] B rejected: 'don't; really'; A applied; C rejected: \"x\"", "B:don't; really C:x"},
		{"[galley] B rejected: 'say; D rejected: no'; C rejected; E rejected: plain words", "B:say; D rejected: no C: E:plain words"},
		{"[galley] A applied; B rejected: '1st\n2nd'.", "B:1st\n2nd"},
		{"[galley]\nA rejected: 'x'\nB rejected: 'y'", "A:x B:y"},
		{"[galley] you typed in B rejected.md:1", ""},
	} {
		var got []string
		for _, d := range rejections(row.message) {
			got = append(got, d.Letter+":"+d.Reason)
		}
		if s := strings.Join(got, " "); s != row.want {
			t.Errorf("%q\n got %q\nwant %q", row.message, s, row.want)
		}
	}
}

func TestResume(t *testing.T) {
	t.Run("a replacement is repeated", func(t *testing.T) {
		got := newTalk(t).prompt(`replace "a" with "b" in f then preview`,
			step{replAB, cutOff}, step{replAB, `{"status":"refused","code":"already_pending"}`}, step{`memo_preview`, `{"status":"ok","preview":"P"}`})
		wantText(t, got, "P")
	})
	t.Run("not for ever", func(t *testing.T) {
		got := newTalk(t).prompt(`list then preview`, step{`list_files`, cutOff}, step{`list_files`, cutOff}, step{`list_files`, cutOff})
		wantText(t, got, "was interrupted", "Not done: preview")
	})
	t.Run("an append is not", func(t *testing.T) {
		got := newTalk(t).prompt(`append "x" to f`, step{`memo_append {"path":"f","text":"x"}`, cutOff})
		wantText(t, got, "I cannot tell whether it was done")
	})
	t.Run("a task that the block shows", func(t *testing.T) {
		k := newTalk(t)
		k.user(`task "g" then list`)
		k.call(`memo_begin_task {"goal":"g"}`)
		k.answer(cutOff)
		block := memory.Message{Role: "user", Content: "<tasks>\n┌─ [#1] g (current)\n</tasks>"}
		reply, err := New().Stream(context.Background(), memory.Request{Messages: append(k.messages, block)}, func(model.Delta) {})
		if err != nil || len(reply.Message.ToolCalls) != 1 || reply.Message.ToolCalls[0].Name != "list_files" {
			t.Errorf("%v %v", reply, err)
		}
	})
	t.Run("no answer at all", func(t *testing.T) {
		k := newTalk(t)
		k.user(`preview`)
		k.call(`memo_preview`)
		k.play(step{`memo_preview`, `{"status":"ok"}`})
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := New().Stream(ctx, memory.Request{}, func(d model.Delta) { t.Errorf("told %q", d) })
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// The closing of an editing session may hide any message before its own call.
func TestFolded(t *testing.T) {
	t.Run("the prompt itself", func(t *testing.T) {
		k := newTalk(t)
		k.prompt(`task "g" then list`, step{`memo_begin_task {"goal":"g"}`, okTask}, step{`list_files`, `{"status":"ok"}`})
		k.user(`replace "a" with "b" in f then commit "x" then replace "a" with "b" in f then preview`)
		k.call(replAB)
		k.answer(stagedA)
		k.call(`memo_commit {"summary":"x"}`)
		k.answer(committed)
		k.fold(5, len(k.messages)-2)
		got := k.play(step{replAB, stagedA}, step{`memo_preview`, `{"status":"ok","preview":"P"}`})
		wantText(t, got, "Committed", "P", "Staged: A")
		wantNone(t, got, "begun") // that was another prompt
	})
	t.Run("the prompt, and nothing was left", func(t *testing.T) {
		k := newTalk(t)
		k.prompt(`task "g"`, step{`memo_begin_task {"goal":"g"}`, okTask})
		k.user(`replace "a" with "b" in f then commit "x"`)
		k.call(replAB)
		k.answer(stagedA)
		k.call(`memo_commit {"summary":"x"}`)
		k.answer(committed)
		k.fold(5, len(k.messages)-2)
		wantText(t, k.play(), "Committed")
		wantText(t, k.play(), "I am done")
	})
	t.Run("what came last", func(t *testing.T) {
		k := newTalk(t)
		k.user(`replace "a" with "b" in f then preview`)
		k.call(replAB)
		k.answer(stagedA)
		k.fold(3, len(k.messages))
		k.user("[galley] #1 is committed (history: 2 messages folded)")
		wantText(t, k.play(), "I cannot tell where I was")
	})
	t.Run("the same prompt again gets new ids", func(t *testing.T) {
		k := newTalk(t)
		for range 2 {
			k.prompt(`replace "a" with "b" in f`, step{replAB, stagedA})
			k.fold(len(k.messages)-3, len(k.messages)-1)
		}
	})
}

func TestPromptWhileRunning(t *testing.T) {
	k := newTalk(t)
	k.user(`read f then list then preview`)
	k.call(`memo_read {"path":"f"}`)
	k.answer(okRead)
	got := k.prompt(`list`, step{`list_files`, `{"status":"ok"}`})
	wantText(t, got, "Left undone: list then preview", "0 files")
	wantNone(t, k.prompt(`list`, step{`list_files`, `{"status":"ok"}`}), "Left undone")
}

func TestWithoutInstructions(t *testing.T) {
	for _, row := range []struct {
		name, prompt string
		want         []string
	}{
		{"prose", "Please make it faster", []string{"“make”", "line 1, column 8", "Nothing was done", "not a language model", "Say help"}},
		{"a part of it", "replace \"a\" with \"b\" in f\nand tidy up", []string{"line 2, column 5, “tidy”", "joined by then", "Nothing was done", "The nearest form: replace", "For example:"}},
		{"typing error", `comit "x"`, []string{"“comit”", "For example:      " + formsOf(verbCommit)[0].example}},
		{"help", " Help! ", []string{"not a language model", "# Plain instructions"}},
		{"question mark", "?", []string{"# Plain instructions"}},
		{"cut off at the end", `read f then`, []string{"at its end", "missing behind then"}},
	} {
		t.Run(row.name, func(t *testing.T) { wantText(t, newTalk(t).prompt(row.prompt), row.want...) })
	}
	wantText(t, newTalk(t).play(), "not a language model", "Say help")
	if New().Name() != "offline" || !strings.Contains(Grammar, "not a language model") {
		t.Error("it must say what it is")
	}
}
