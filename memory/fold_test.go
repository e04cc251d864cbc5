package memory

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bulk is a result long enough that a fold gains.
var bulk = strings.Repeat("a_line_of_a_file ", 60)

func bulky(history string) string {
	return strings.ReplaceAll(history, ":bulk", ":"+strings.ReplaceAll(bulk, " ", "_"))
}

// TestFoldFirstWalk is the first walk of the original design: six messages
// count, four go.
func TestFoldFirstWalk(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, bulky("U A{begin} Tbegin A{read} Tread:bulk A{replace} Treplace:bulk A{commit}"))
	before := conversationTokens(s)
	delta, err := s.Fold(FoldEdit{Edit: 1, BeginCall: "begin", CloseCall: "commit", Touched: []string{"replace", "commit"}, Block: "edit #1 committed"})
	ok(t, err)
	play(t, s, "Tcommit")
	if got, want := written(s.Messages()), "U A{begin} Tbegin U:edit_#1_committed A{commit} Tcommit"; got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	checkRules(t, s.Messages())
	if delta.MessagesRemoved != 4 {
		t.Errorf("%d messages removed, want 4", delta.MessagesRemoved)
	}
	if after := conversationTokens(s) - messageTokens(Message{Content: "result of commit"}) + messageTokens(Message{Content: unansweredText}); delta.TokensSaved != before-after {
		t.Errorf("%d tokens saved, by the counts before and after it is %d", delta.TokensSaved, before-after)
	}
	sameMessages(t, s.Messages(), p.reopen(t, s).Messages())
}

func conversationTokens(s *Store) int {
	n := 0
	for _, m := range s.Messages() {
		n += messageTokens(m)
	}
	return n
}

func TestFoldSpans(t *testing.T) {
	for _, c := range []struct {
		name, history string
		fold          FoldEdit
		removed       int
		want          string
	}{
		{
			"too few messages", "U A{begin} Tbegin A{replace} Treplace:bulk A{commit} Tcommit",
			FoldEdit{BeginCall: "begin", CloseCall: "commit", Block: "B"},
			0,
			"U A{begin} Tbegin A{replace} Treplace A{commit} Tcommit",
		},
		{
			"the threshold is a setting", "U A{begin} Tbegin A{replace} Treplace:bulk A{commit} Tcommit",
			FoldEdit{BeginCall: "begin", CloseCall: "commit", Block: "B", Threshold: 4},
			2,
			"U A{begin} Tbegin U:B A{commit} Tcommit",
		},
		{
			"no task: from after the last user message", "U:old A{x} Tx:bulk A U A{read} Tread:bulk A{replace} Treplace A{commit} Tcommit",
			FoldEdit{CloseCall: "commit", Block: "B"},
			4,
			"U:old A{x} Tx A U U:B A{commit} Tcommit",
		},
		{
			"a notice is no user message", "U A{read} Tread:bulk N A{replace} Treplace A{commit} Tcommit",
			FoldEdit{CloseCall: "commit", Block: "B"},
			5,
			"U U:B A{commit} Tcommit",
		},
		{
			"closed by the user: through the last unit that touched it", "U A{read} Tread:bulk A{replace} Treplace A{more} Tmore A{other} Tother A",
			FoldEdit{Touched: []string{"replace", "more"}, Block: "B"},
			6,
			"U U:B A{other} Tother A",
		},
		{
			"a running unit is never hidden", "U A{read} Tread:bulk A{replace} Treplace A{other} Tother A{more,x} Tmore",
			FoldEdit{Touched: []string{"replace", "more"}, Block: "B"},
			6,
			"U U:B A{more,x} Tmore T?x",
		},
		{
			"the words of the user are carried on", "U A{begin} Tbegin A{read} Tread:bulk U:mind_the_tests A{replace} Treplace A{commit} Tcommit",
			FoldEdit{BeginCall: "begin", CloseCall: "commit", Block: "B"},
			5,
			"U A{begin} Tbegin U:B\n\nThe_user_wrote_meanwhile:\n>_mind_the_tests A{commit} Tcommit",
		},
		{
			"all in one batch leaves nothing to fold", "U A{begin,replace,commit} Tbegin:bulk Treplace Tcommit",
			FoldEdit{BeginCall: "begin", CloseCall: "commit", Block: "B"},
			0,
			"U A{begin,replace,commit} Tbegin Treplace Tcommit",
		},
		{
			"unknown calls", "U A{a} Ta:bulk A{b} Tb A{c} Tc",
			FoldEdit{BeginCall: "x", CloseCall: "y", Touched: []string{"z"}, Block: "B"},
			0,
			"U A{a} Ta A{b} Tb A{c} Tc",
		},
		{
			"nothing gained", "U A{begin} Tbegin A{a} Ta A{b} Tb A{commit} Tcommit",
			FoldEdit{BeginCall: "begin", CloseCall: "commit", Block: strings.Repeat("longer than what it stands for ", 20)},
			0,
			"U A{begin} Tbegin A{a} Ta A{b} Tb A{commit} Tcommit",
		},
		{
			"a blank block", "U A{begin} Tbegin A{a} Ta:bulk A{b} Tb A{commit} Tcommit",
			FoldEdit{BeginCall: "begin", CloseCall: "commit", Block: " "},
			0,
			"U A{begin} Tbegin A{a} Ta A{b} Tb A{commit} Tcommit",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			s := p.create(t)
			play(t, s, bulky(c.history))
			delta, err := s.Fold(c.fold)
			ok(t, err)
			if got := written(s.Messages()); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if delta.MessagesRemoved != c.removed || (delta.TokensSaved > 0) != (c.removed > 0) {
				t.Errorf("delta %+v, want %d messages", delta, c.removed)
			}
			checkRules(t, s.Messages())
			live := s.Messages()
			sameMessages(t, live, p.reopen(t, s).Messages())
		})
	}
}

// TestR30FoldsNest: a task's fold takes in those of its children with what they
// say; one that would cut another in two leaves that alone.
func TestR30FoldsNest(t *testing.T) {
	s := newStore(t)
	play(t, s, bulky("U A{begin} Tbegin A{read} Tread:bulk A{begin2} Tbegin2 A{read2} Tread2:bulk A{replace2} Treplace2:bulk A{commit2} Tcommit2"))
	if _, err := s.Fold(FoldEdit{Edit: 2, BeginCall: "begin2", CloseCall: "commit2", Block: "inner"}); err != nil {
		t.Fatal(err)
	}
	play(t, s, bulky("A{replace} Treplace:bulk A{commit} Tcommit"))
	delta, err := s.Fold(FoldEdit{Edit: 1, BeginCall: "begin", CloseCall: "commit", Block: "outer"})
	ok(t, err)
	if got, want := written(s.Messages()), "U A{begin} Tbegin U:outer\n\ninner A{commit} Tcommit"; got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	if delta.MessagesRemoved != 9 {
		t.Errorf("%d messages removed, want 9: the block of the child is one", delta.MessagesRemoved)
	}
	again, err := s.Fold(FoldEdit{Edit: 1, BeginCall: "begin", CloseCall: "commit", Block: "outer"})
	if err != nil || again.MessagesRemoved != 0 {
		t.Errorf("folded twice: %+v %v", again, err)
	}
}

func TestR30FoldsDoNotCutEachOther(t *testing.T) {
	s := newStore(t)
	play(t, s, bulky("U A{one} Tone A{a} Ta:bulk A{two} Ttwo:bulk A{b} Tb:bulk A{closeone} Tcloseone A{c} Tc:bulk A{d} Td:bulk A{e} Te:bulk A{closetwo} Tclosetwo"))
	if _, err := s.Fold(FoldEdit{Edit: 1, BeginCall: "one", CloseCall: "closeone", Block: "first"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Fold(FoldEdit{Edit: 2, BeginCall: "two", CloseCall: "closetwo", Block: "second"}); err != nil {
		t.Fatal(err)
	}
	if got, want := written(s.Messages()), "U A{one} Tone U:first U:second A{closetwo} Tclosetwo"; got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
}

// TestR29AFoldThatCrashed: only a committed fold over what the journal still holds
// changes the view; whatever else stands there is ignored.
func TestR29AFoldThatCrashed(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, bulky("U A{begin} Tbegin A{read} Tread:bulk A{replace} Treplace:bulk A{commit} Tcommit"))
	unfolded := s.Messages()
	_, err := s.Fold(FoldEdit{Edit: 1, BeginCall: "begin", CloseCall: "commit", Block: "B"})
	ok(t, err)
	folded := s.Messages()
	ok(t, s.Close())
	journal := filepath.Join(s.Dir(), journalFile)
	lines := strings.SplitAfter(readFile(t, journal), "\n")
	started := len(lines) - 3 // started, committed, and the empty end
	if !strings.Contains(lines[started], `"started"`) || !strings.Contains(lines[started+1], `"committed"`) {
		t.Fatalf("the journal ends with %v", lines[started:])
	}
	open := func(text string) *Store {
		t.Helper()
		writeFile(t, text, journal)
		again, err := OpenReadOnly(p.home, p.workspace, s.ID())
		ok(t, err)
		return again
	}
	sameMessages(t, folded, open(strings.Join(lines, "")).Messages())
	sameMessages(t, unfolded, open(strings.Join(lines[:started], "")).Messages())
	sameMessages(t, unfolded, open(strings.Join(lines[:started+1], "")).Messages())
	altered := open(strings.Replace(strings.Join(lines, ""), "a line of", "a lie of", 1))
	if got := written(altered.Messages()); strings.Contains(got, "U:B") {
		t.Errorf("a fold hides what it was not made from: %s", got)
	}
	if w := strings.Join(altered.Warnings(), "\n"); !strings.Contains(w, "has changed") {
		t.Errorf("nobody is told: %q", w)
	}
}

// TestWorkedExample: a real-looking edit of about 5,000 tokens is about 200
// when its editing session is closed.
func TestWorkedExample(t *testing.T) {
	var example struct {
		Messages []Message `json:"messages"`
		Fold     FoldEdit  `json:"fold"`
	}
	data, err := os.ReadFile(filepath.Join("testdata", "worked-example.json"))
	ok(t, err)
	ok(t, json.Unmarshal(data, &example))
	s := newStore(t)
	for _, m := range example.Messages {
		switch m.Role {
		case RoleUser:
			ok(t, s.AddUser(m.Content))
		case RoleAssistant:
			ok(t, s.AddAssistant(m, Usage{}))
		case RoleTool:
			ok(t, s.AddResult(m.ToolCallID, m.Content))
		}
	}
	_, before := s.Request(RequestInput{})
	delta, err := s.Fold(example.Fold)
	ok(t, err)
	_, after := s.Request(RequestInput{})
	block := after.Categories.Folds
	span := delta.TokensSaved + block
	if span < 4500 || span > 5500 || block < 150 || block > 250 {
		t.Errorf("%d tokens became %d, they should fall from about 5,000 to about 200", span, block)
	}
	was, is := before.Categories.History, after.Categories.History+after.Categories.Folds
	if was-is != delta.TokensSaved {
		t.Errorf("the request fell by %d tokens, the fold says %d", was-is, delta.TokensSaved)
	}
}

// playNested is a history with folds in folds: a task with two children, the
// second folded with what the user said meanwhile, then the task itself, then a
// fold of what the user closed, and one that was only started.
func playNested(t *testing.T, s *Store) {
	t.Helper()
	fold := func(f FoldEdit) {
		t.Helper()
		d, err := s.Fold(f)
		ok(t, err)
		if d.MessagesRemoved == 0 {
			t.Fatalf("%+v folds nothing", f)
		}
	}
	play(t, s, bulky("U A{begin} Tbegin A{read} Tread:bulk A{begin2} Tbegin2 A{read2} Tread2:bulk A{replace2} Treplace2:bulk A{commit2} Tcommit2"))
	fold(FoldEdit{Edit: 2, BeginCall: "begin2", CloseCall: "commit2", Block: "the first child, committed.\n\nFiles: a.go"})
	play(t, s, bulky("U:mind_the_tests A{begin3} Tbegin3 A{read3} Tread3:bulk U:and_the_docs\n N A{replace3} Treplace3:bulk A{commit3} Tcommit3"))
	fold(FoldEdit{Edit: 3, BeginCall: "begin3", CloseCall: "commit3", Block: "the second child \xff (bytes)"})
	play(t, s, bulky("A{replace} Treplace:bulk A{commit} Tcommit"))
	fold(FoldEdit{Edit: 1, BeginCall: "begin", CloseCall: "commit", Block: "outer"})
	play(t, s, bulky("A U:next A{r4} Tr4:bulk A{s4} Ts4:bulk A{t4} Tt4 A"))
	fold(FoldEdit{Edit: 4, Touched: []string{"r4", "t4"}, Block: "closed by the user"})
	play(t, s, bulky("U:more A{begin5} Tbegin5 A{r5} Tr5:bulk A{s5} Ts5:bulk A{commit5} Tcommit5 A"))
	if _, err := s.Append(TypeCompact, compactPayload{State: stateStarted, Reason: reasonEditClosed, Edit: 5, From: 3, To: 4}); err != nil {
		t.Fatal(err)
	}
}

// TestNestedFolds: blocks that stand in others are shown as the file says, live and from the journal.
func TestNestedFolds(t *testing.T) {
	want := readFile(t, "testdata", "nested-folds.json")
	check := func(name string, s *Store) {
		t.Helper()
		all := slices.Clone(s.Messages())
		for i := range all { // so that the file can be read
			all[i].Content = strings.ToValidUTF8(all[i].Content, "\ufffd")
		}
		got, err := json.MarshalIndent(all, "", " ")
		ok(t, err)
		if string(got)+"\n" != want {
			t.Errorf("%s: got %s\nwant %s", name, got, want)
		}
		if w := s.Warnings(); len(w) != 0 {
			t.Errorf("%s: %q", name, w)
		}
	}
	p := newPlace(t)
	s := p.create(t)
	playNested(t, s)
	check("live", s)
	check("read again", p.reopen(t, s))
}

// TestFoldTokens: what is counted block by block is what the whole would count.
func TestFoldTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z.!\n \t\r(){}#]{1,40}`))
		block := func() *rewrite { return newRewrite(0, 0, strings.TrimSpace("x"+text.Draw(t, "block"))) }
		r := block()
		for range rapid.IntRange(0, 6).Draw(t, "folds") {
			outer := block()
			for range rapid.IntRange(0, 2).Draw(t, "words") {
				outer.carry(newRewrite(0, 0, "The user wrote meanwhile:\n"+Quoted(text.Draw(t, "words"))))
			}
			outer.carry(r)
			if rapid.Bool().Draw(t, "more") {
				outer.carry(block())
			}
			r = outer
			r.count()
		}
		if got, want := r.count(), messageTokens(r.message()); got != want {
			t.Fatalf("counted %d, it is %d: %q", got, want, r.message().Content)
		}
	})
}

// An element of a block, also of one that stands in another, is replaced by what became of
// it; R27: that is one event, and the journal gives the same again.
func TestAmend(t *testing.T) {
	element := func(state string) string { return Element("editing_session", state, "id", "sess-2", "state", state) }
	p := newPlace(t)
	s := p.create(t)
	play(t, s, bulky("U A{begin} Tbegin A{read} Tread:bulk A{begin2} Tbegin2 A{read2} Tread2:bulk A{replace2} Treplace2:bulk A{commit2} Tcommit2"))
	_, err := s.Fold(FoldEdit{Edit: 2, BeginCall: "begin2", CloseCall: "commit2", Block: "inner\n" + element("committed") + "\nend"})
	ok(t, err)
	ok(t, s.AddUser(`<editing_session id="sess-2"> is mine`))
	play(t, s, bulky("A{replace} Treplace:bulk A{commit} Tcommit"))
	_, err = s.Fold(FoldEdit{Edit: 1, BeginCall: "begin", CloseCall: "commit", Block: "outer"})
	ok(t, err)
	was := len(s.Entries())
	ok(t, s.Amend(element("undone")))
	if n := len(s.Entries()) - was; n != 1 {
		t.Errorf("%d entries for one change", n)
	}
	ok(t, s.Amend(Element("editing_session", "another", "id", "sess-22")))
	if n := len(s.Entries()) - was; n != 1 {
		t.Error("an entry for an element that nothing holds")
	}
	block := s.Messages()[3].Content
	if want := "outer\n\ninner\n" + element("undone") + "\nend"; !strings.HasPrefix(block, want) || !strings.Contains(block, `> <editing_session id="sess-2"> is mine`) {
		t.Errorf("got %s\nwant %s", block, want)
	}
	s.mu.Lock()
	counted := s.convLocked().tops[0].count()
	s.mu.Unlock()
	if want := messageTokens(s.Messages()[3]); counted != want {
		t.Errorf("counted %d tokens, it has %d", counted, want)
	}
	sameMessages(t, s.Messages(), p.reopen(t, s).Messages())
}
