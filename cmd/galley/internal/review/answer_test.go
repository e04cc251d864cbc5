package review

import (
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// knownLetters wait, each in a file of its own.
func knownLetters(letters ...string) (known []view.Change) {
	for _, l := range letters {
		known = append(known, view.Change{Change: &editing.Change{Letter: l, Name: "src/" + strings.ToLower(l) + ".txt", State: editing.Staged}})
	}
	return known
}

func TestAnswers(t *testing.T) {
	known := knownLetters("A", "B", "C")
	tests := []struct {
		line string
		want answer
	}{
		{"a", answer{verb: verbApply}},
		{"  apply ", answer{verb: verbApply}},
		{"A", answer{verb: verbApply, letters: []string{"A"}}},
		{"A,C", answer{verb: verbApply, letters: []string{"A", "C"}}},
		{"C, A", answer{verb: verbApply, letters: []string{"A", "C"}}},
		{"C A A", answer{verb: verbApply, letters: []string{"A", "C"}}},
		{"A-C", answer{verb: verbApply, letters: []string{"A", "B", "C"}}},
		{"a B", answer{verb: verbApply, letters: []string{"B"}}},
		{"r", answer{verb: verbReject}},
		{"r B", answer{verb: verbReject, letters: []string{"B"}}},
		{"r B,C keep the old name", answer{verb: verbReject, letters: []string{"B", "C"}, text: "keep the old name"}},
		{"reject B: keep it", answer{verb: verbReject, letters: []string{"B"}, text: "keep it"}},
		{"r B because it is better", answer{verb: verbReject, letters: []string{"B"}, text: "it is better"}},
		{"r I do not like it", answer{verb: verbReject, text: "I do not like it"}},
		{"r too long", answer{verb: verbReject, text: "too long"}},
		{"u B", answer{verb: verbUnreject, letters: []string{"B"}}},
		{"m C", answer{verb: verbMine, letters: []string{"C"}}},
		{"t C", answer{verb: verbAgents, letters: []string{"C"}}},
		{"g C", answer{verb: verbAgain, letters: []string{"C"}}},
		{"y", answer{verb: verbYes}},
		{"y A-C", answer{verb: verbYes, letters: []string{"A", "B", "C"}}},
		{"n", answer{verb: verbNo}},
		{"n too long", answer{verb: verbNo, text: "too long"}},
		{"s", answer{verb: verbSkip}},
		{"o", answer{verb: verbOne}},
		{"k B what for?", answer{verb: verbRemark, letters: []string{"B"}, text: "what for?"}},
		{"a src/b.txt", answer{verb: verbApply, letters: []string{"B"}}},
		{"r src/b.txt, not this file", answer{verb: verbReject, text: "src/b.txt, not this file"}},
		{"src/b.txt", answer{verb: verbApply, letters: []string{"B"}}},
		{"d", answer{verb: verbDiff}},
		{"d A", answer{verb: verbDiff, letters: []string{"A"}}},
		{"previous", answer{verb: verbPrevious}},
		{"l", answer{verb: verbList}},
		{"c", answer{verb: verbCommit}},
		{"c longer timeouts", answer{verb: verbCommit, text: "longer timeouts"}},
		{"commit #3 longer timeouts", answer{verb: verbCommit, edit: 3, text: "longer timeouts"}},
		{"v A was wrong", answer{verb: verbRevert, text: "A was wrong"}},
		{"e", answer{verb: verbEdit}},
		{"edit B", answer{verb: verbEdit, letters: []string{"B"}}},
		{"s A 3-5", answer{verb: verbSplit, letters: []string{"A"}, lines: [2]int{3, 5}}},
		{"s 3", answer{verb: verbSplit, lines: [2]int{3, 3}}},
		{"cut B 12", answer{verb: verbSplit, letters: []string{"B"}, lines: [2]int{12, 12}}},
		{"q", answer{verb: verbQuit}},
		{"x", answer{verb: verbSay, text: "x"}},
		{"ABC", answer{verb: verbSay, text: "ABC"}},
		{"d what", answer{verb: verbSay, text: "d what"}},
		{"A is too long", answer{verb: verbSay, text: "A is too long"}},
		{"no, use the other name", answer{verb: verbSay, text: "no, use the other name"}},
		{"split the function in two", answer{verb: verbSay, text: "split the function in two"}},
		{"keep the old name", answer{verb: verbSay, text: "keep the old name"}},
		{"commit what is left", answer{verb: verbCommit, text: "what is left", words: "commit what is left"}},
		{"no too long", answer{verb: verbNo, text: "too long", words: "no too long"}},
		{"?", answer{verb: verbHelp}},
	}
	for _, test := range tests {
		got, problem := parseAnswer(test.line, known)
		if problem != "" || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %+v, %q; want %+v", test.line, got, problem, test.want)
		}
	}
}

func TestAnswersNotUnderstood(t *testing.T) {
	tests := []struct{ line, want string }{
		{"", "? lists the rest"},
		{"b", "letters are capitals: B"},
		{"b,c", "letters are capitals: B,C"},
		{"Z", "there is no letter Z; there are A, B, C"},
		{"A,Z", "there is no letter Z"},
		{"r Q,Z no", "there is no letter Q, Z"},
		{"s C", "g C asks the agent again"},
		{"y A please", `"please" is not understood`},
		{"a A please", `"please" is not understood`},
		{"v", "revert needs a reason"},
		{"e A,B", "one by one"},
		{"e A please", "is not understood"},
		{"s A", "s A 3-5 cuts lines off it"},
		{"s A 5-3", "cuts lines off it"},
		{"s A 0", "cuts lines off it"},
		{"s A,B 3", "one by one"},
		{"cut A", "which lines?"},
		{"cut A x", "which lines?"},
		{"y A \x1b[31m", "is not understood"},
	}
	for _, test := range tests {
		got, problem := parseAnswer(test.line, knownLetters("A", "B", "C"))
		if !strings.Contains(problem, test.want) || got.verb != "" && problem == "" {
			t.Errorf("%q: got %+v, %q; want a problem with %q", test.line, got, problem, test.want)
		}
		if strings.Contains(problem, "\x1b") {
			t.Errorf("%q: the problem %q carries a control to the terminal", test.line, problem)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, line := range []string{"a", "A,C", "r B: no", "c #3 x", "A-", "-", ",", "r A,,B"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		a, problem := parseAnswer(line, knownLetters("A", "B", "C"))
		if problem == "" && a.verb == "" {
			t.Errorf("%q: neither an answer nor a problem", line)
		}
		for _, l := range a.letters {
			if problem == "" && l != "A" && l != "B" && l != "C" {
				t.Errorf("%q: the letter %q is none", line, l)
			}
		}
	})
}
