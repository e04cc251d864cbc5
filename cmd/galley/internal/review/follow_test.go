package review

import (
	"io"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// late is a person whose table moves while they are asked: before the answer of the same number.
type late struct {
	answers []string
	moves   []func()
}

func (l *late) Read(b []byte) (int, error) {
	if len(l.answers) == 0 {
		return 0, io.EOF
	}
	if len(l.moves) > 0 {
		l.moves[0]()
		l.moves = l.moves[1:]
	}
	n := copy(b, l.answers[0]+"\n")
	l.answers = l.answers[1:]
	return n, nil
}

// What others did while somebody was asked is told, and an answer to what is no more so counts for nothing.
func TestReviewFollowsTheTable(t *testing.T) {
	for _, test := range []struct {
		name    string
		answers string
		moves   []string // before each answer
		file    string
		waits   string
		says    []string
	}{
		{"the only one is decided", "y", []string{"apply A B C"}, "ONE two THREE four FIVE", "", []string{"meanwhile: A is applied: a.txt, line 1\n", "meanwhile: C is applied"}},
		{
			"all but one are decided: a yes is not about that", "y\nq",
			[]string{"apply A B"},
			"ONE two THREE four five", "C",
			[]string{"meanwhile: B is applied: a.txt, line 3\n", "nothing is done"},
		},
		{"the one that is shown is decided", "o\ny\nq", []string{"", "reject A"}, "one two three four five", "B C", []string{"meanwhile: A is rejected: no: a.txt, line 1\n", "B (1 of 2)"}},
		{"another is decided", "A\nA\nq", []string{"reject C"}, "ONE two three four five", "B", []string{"meanwhile: C is rejected", "A, B · "}},
		{"one is amended", "A\nq", []string{"amend A"}, "one two three four five", "A B C", []string{"meanwhile: A was changed\n", "+one, two"}},
		{"one comes", "a\na", []string{"stage"}, "ONE two THREE 4 FIVE", "", []string{"meanwhile: D waits, too\n", "+4", "[a]pply all 4"}},
		{"one waits again", "B\nq", []string{"", "unapply B"}, "one two three four five", "A B C", []string{"meanwhile: B waits again"}},
		{"they leave", "q", []string{"reject C"}, "one two three four five", "A B", []string{"meanwhile: C is rejected"}},
		{"the editing session is closed", "A", []string{"commit"}, "ONE two THREE four FIVE", "", []string{"meanwhile: A is gone, since its editing session was closed\n"}},
		{"a file is typed in", "A\nm A\nq", []string{"type"}, "uno two three four five", "B C", []string{"meanwhile: A is in conflict\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := three(t)
			decide := func(dec session.Decision) {
				if res, err := d.Session.Decide(dec); err != nil || !res.OK() {
					t.Errorf("decide: %+v, %v", res, err)
				}
			}
			keys := &late{answers: strings.Split(test.answers, "\n")}
			for _, move := range test.moves {
				what, letters, _ := strings.Cut(move, " ")
				keys.moves = append(keys.moves, func() {
					var choices []editing.Choice
					for _, l := range strings.Fields(letters) {
						c, _ := d.Snapshot().Change(l)
						choices = append(choices, editing.Choice{Letter: l, Revision: c.Revision})
					}
					switch what {
					case "apply":
						decide(session.Apply(choices))
					case "reject":
						decide(session.Reject(choices, "no"))
					case "amend":
						decide(session.Verdict{Op: session.VerdictAmend, Choices: choices, Text: "one, two\n"}.Decision())
					case "stage":
						d.replace("a.txt", "four", "4", "")
					case "unapply":
						d.write("a.txt", "one\ntwo\nthree\nfour\nfive\n")
					case "commit":
						decide(session.Commit(0, "done", nil))
					case "type":
						d.write("a.txt", "uno\ntwo\nthree\nfour\nfive\n")
					}
				})
			}
			d.reviewed(keys, test.file, test.waits, test.says)
		})
	}
}
