package review

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/view"
)

// verb is what a person wants done in a review.
type verb string

// The verbs of a review.
const (
	verbYes      verb = "yes"
	verbNo       verb = "no"
	verbSkip     verb = "skip"
	verbOne      verb = "one"
	verbApply    verb = "apply"
	verbReject   verb = "reject"
	verbUnreject verb = "unreject"
	verbMine     verb = "mine"
	verbAgents   verb = "agent"
	verbAgain    verb = "ask"
	verbDiff     verb = "diff"
	verbPrevious verb = "previous"
	verbList     verb = "list"
	verbRemark   verb = "remark"
	verbEdit     verb = "edit"
	verbSplit    verb = "split"
	verbCommit   verb = "commit"
	verbRevert   verb = "revert"
	verbQuit     verb = "quit"
	verbHelp     verb = "help"
	verbSay      verb = "say" // none of those: words
)

// answerWords are the verbs as they are typed, and what they do.
var answerWords = []struct {
	verb  verb
	words []string
	form  string
	does  string
}{
	{verbYes, []string{"y", "yes"}, "y [A,C]", "take the letter that is shown, or those named"},
	{verbNo, []string{"n", "no"}, "n [A,C] [reason]", "refuse it; the agent hears the reason"},
	{verbSkip, []string{"s", "skip"}, "s", "leave it for later, and show the next one"},
	{verbPrevious, []string{"p", "previous"}, "p", "show the one before"},
	{verbOne, []string{"o", "one"}, "o", "show the letters one by one"},
	{verbApply, []string{"a", "apply"}, "a [A,C]", "apply all letters, or those named"},
	{verbReject, []string{"r", "reject"}, "r [A,C] [reason]", "reject; the agent hears the reason"},
	{verbUnreject, []string{"u", "unreject"}, "u A,C", "bring rejected letters back"},
	{verbRemark, []string{"k", "remark"}, "k A text", "tell the agent something about a letter; it stays"},
	{verbEdit, []string{"e", "edit"}, "e [A]", "edit what a letter makes, in $EDITOR"},
	{verbSplit, []string{"cut", "split"}, "s [A] 3-5", "cut lines off: they get a letter of their own"},
	{verbDiff, []string{"d", "diff"}, "d [A,C]", "everything as one patch, or letters again"},
	{verbList, []string{"l", "list"}, "l", "list all letters and what became of them"},
	{verbMine, []string{"m", "mine", "keep"}, "m C", "a conflict: keep my text"},
	{verbAgents, []string{"t", "take", "agent"}, "t C", "a conflict: take the agent's text"},
	{verbAgain, []string{"g", "again", "ask"}, "g C", "a conflict: ask the agent again"},
	{verbCommit, []string{"c", "commit"}, "c [#3] [summary]", "apply what is left, all or nothing, and close"},
	{verbRevert, []string{"v", "revert"}, "v [#3] reason", "reject what is left, and close"},
	{verbQuit, []string{"q", "quit"}, "q", "leave; what is undecided is kept"},
	{verbHelp, []string{"?", "h", "help"}, "?", "this list"},
}

// answer is what was typed, understood.
type answer struct {
	verb    verb
	letters []string
	edit    int    // of commit and revert: which editing session, 0: the only one
	lines   [2]int // of split
	text    string // a reason, a summary, or words
	words   string // the whole line, where it may as well be words: "commit what is left, please"
}

// parseAnswer reads one line. known are the letters that there are, since a reason may begin with a capital too; a file
// stands for those in it that wait. What is wrong with an answer comes back as a problem in words.
func parseAnswer(line string, known []view.Change) (a answer, problem string) {
	line = strings.TrimSpace(line)
	word, rest, _ := strings.Cut(line, " ")
	if a.verb = verbOf(word); a.verb == "" {
		return bareLetters(line, known)
	}
	rest = strings.TrimSpace(rest)
	switch a.verb {
	case verbCommit, verbRevert:
		a.edit, a.text = leadingEdit(rest)
	default:
		if a.letters, a.text, problem = leadingLetters(rest, known); problem != "" {
			return answer{}, problem
		}
	}
	if from, to, ok := lineRange(a.text); ok && (a.verb == verbSkip || a.verb == verbSplit) {
		a.verb, a.lines, a.text = verbSplit, [2]int{from, to}, ""
	}
	switch {
	case a.text == "" || len(a.letters) > 0 || a.edit > 0:
	case !slices.Contains(withText, a.verb):
		return answer{verb: verbSay, text: line}, ""
	case len(word) > 1:
		a.words = line
	}
	return a, a.misses()
}

// withText are the verbs that a text goes with.
var withText = []verb{verbNo, verbReject, verbRemark, verbCommit, verbRevert}

// misses says what an answer lacks, or has too much of.
func (a answer) misses() string {
	switch a.verb {
	case verbNo, verbReject, verbRemark, verbCommit:
		return ""
	case verbRevert:
		if a.text == "" {
			return "revert needs a reason, which the agent hears: v the server does not know this key"
		}
		return ""
	case verbSkip:
		if len(a.letters) > 0 {
			return fmt.Sprintf("s alone skips the letter that is shown; s %[1]s 3-5 cuts lines off it, by the numbers before them, and g %[1]s asks the agent again", a.letters[0])
		}
	case verbEdit:
		if len(a.letters) > 1 {
			return "letters are edited one by one: e " + a.letters[0]
		}
	case verbSplit:
		switch {
		case len(a.letters) > 1:
			return "letters are cut one by one: s " + a.letters[0] + " 3-5"
		case a.lines == [2]int{}:
			return "which lines? s A 3-5 cuts those off that have these numbers before them, s A 3 one"
		}
	}
	if a.text != "" {
		return notUnderstood(a.text)
	}
	return ""
}

func notUnderstood(text string) string {
	return fmt.Sprintf("%q is not understood; ? lists what can be typed", term.OneLine(text, 40))
}

// wordOf is what is typed for a verb.
func wordOf(v verb) string {
	for _, w := range answerWords {
		if w.verb == v {
			return w.words[0]
		}
	}
	return ""
}

func verbOf(word string) verb {
	for _, w := range answerWords {
		if slices.Contains(w.words, word) {
			return w.verb
		}
	}
	return ""
}

// bareLetters is a line of letters alone: apply them. What is none is words.
func bareLetters(line string, known []view.Change) (answer, string) {
	if line == "" {
		return answer{}, "type y, n, a, letters like A,C, d or q; ? lists the rest"
	}
	letters, rest, problem := leadingLetters(line, known)
	switch {
	case problem != "":
		return answer{}, problem
	case len(letters) > 0 && rest == "":
		return answer{verb: verbApply, letters: letters}, ""
	}
	if capitals, _, problem := leadingLetters(strings.ToUpper(line), known); problem == "" && len(capitals) > 0 && len(line) < 2*len(capitals)+2 {
		return answer{}, "letters are capitals: " + strings.Join(capitals, ",")
	}
	return answer{verb: verbSay, text: line}, ""
}

// leadingLetters takes the letters off the beginning of a text: "A,C too long", "A C too long", "A-C", "src/app.py".
func leadingLetters(text string, all []view.Change) (letters []string, rest, problem string) {
	rest = text
	known := LettersOf(all)
	for rest != "" {
		word, after, _ := strings.Cut(rest, " ")
		found, ok := letterList(word)
		if in := lettersIn(word, all); len(in) > 0 {
			found, ok = in, true
		}
		unknown := slices.DeleteFunc(slices.Clone(found), func(l string) bool { return slices.Contains(known, l) })
		alone := len(found) == 1 && after != "" // the word I, at the beginning of a reason
		if !ok || len(unknown) > 0 && alone {
			break
		}
		if len(unknown) > 0 {
			return nil, "", noLetter(unknown, known)
		}
		letters, rest = append(letters, found...), strings.TrimSpace(after)
	}
	rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(rest, ":"), "because "))
	slices.Sort(letters)
	return slices.Compact(letters), rest, ""
}

// lettersIn are the letters of a file that wait.
func lettersIn(file string, all []view.Change) []string {
	return LettersOf(slices.DeleteFunc(slices.Clone(all), func(c view.Change) bool { return c.Name != file || !c.State.Undecided() }))
}

func noLetter(unknown, known []string) string {
	there := "there are " + strings.Join(known, ", ")
	if len(known) == 0 {
		there = "there is none at all"
	}
	return fmt.Sprintf("there is no letter %s; %s", strings.Join(unknown, ", "), there)
}

// letterList reads "A", "A,C", "A-C" and "A,".
func letterList(word string) (letters []string, ok bool) {
	word = strings.TrimRight(word, ",:")
	for part := range strings.SplitSeq(word, ",") {
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		if !isLetter(first) || !isLetter(last) || first > last {
			return nil, false
		}
		for l := first[0]; l <= last[0]; l++ {
			letters = append(letters, string(l))
		}
	}
	return letters, true
}

func isLetter(s string) bool { return len(s) == 1 && s[0] >= 'A' && s[0] <= 'Z' }

// lineRange reads "3-5" and "3".
func lineRange(text string) (from, to int, ok bool) {
	first, last, ranged := strings.Cut(text, "-")
	if !ranged {
		last = first
	}
	from, err := strconv.Atoi(first)
	to, also := strconv.Atoi(last)
	return from, to, err == nil && also == nil && 0 < from && from <= to
}

// leadingEdit takes the number of an editing session off the beginning of a text: "#3 summary".
func leadingEdit(text string) (edit int, rest string) {
	word, after, _ := strings.Cut(text, " ")
	digits, marked := strings.CutPrefix(word, "#")
	if n, err := strconv.Atoi(digits); err == nil && n > 0 && marked {
		return n, strings.TrimSpace(after)
	}
	return 0, text
}

// AnswerHelp lists what may be answered.
func AnswerHelp(s term.Screen) string {
	var b strings.Builder
	for _, w := range answerWords {
		b.WriteString("  " + s.Paint(term.Strong, term.Pad(w.form, 18)) + w.does + "\n")
	}
	return b.String() + "  " + term.Pad("A,C", 18) + "the same as a A,C; letters are capitals, A-C is a range, a file those in it\n"
}
