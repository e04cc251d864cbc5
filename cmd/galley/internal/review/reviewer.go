package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// Reviewer asks a person about letters, one answer after the other, until all are decided or the person leaves.
type Reviewer struct {
	Console  term.Console
	Session  Table
	Keyboard *term.Keyboard
	Log      *zap.Logger                  // what was decided, without reasons; may be nil
	Edit     int                          // only this editing session, 0: all that are open
	Files    []string                     // only letters in these, none: in all
	Earlier  []editing.Choice             // letters that waited before the run under review: all is without them
	Galley   func(words ...string) string // a command line that decides, to be copied; nil: answers are typed
	Talks    bool                         // what is no answer is for the agent
	Said     string                       // such words, which end the review; "": there were none

	now      *view.Letters         // as they were last; nil: nobody has looked
	focus    string                // the letter that is shown by itself, "": none
	seen     map[string]int        // letters all of which was shown, and in which revision
	drew     map[string]view.Lines // letters as they were drawn last
	places   map[string]string     // where letters stood before the last decision, or what becomes of their files
	waited   []string              // those that waited before it
	remarked bool                  // the agent has something to hear
	known    map[string]known      // letters as the person knows them; nil: they were shown none
	left     bool                  // the person wants to see no more
}

// tooMany letters are listed, and then shown one by one.
const tooMany = 8

// Review asks until nothing waits. What is undecided when they leave stays so.
func (r *Reviewer) Review(ctx context.Context) error {
	if err := r.look(ctx); err != nil {
		return err
	}
	if len(r.Waiting()) == 0 {
		return nil
	}
	r.open()
	for {
		if r.follow(); len(r.Waiting()) == 0 {
			return nil
		}
		line, ok := r.ask(ctx)
		if r.left = !ok; r.left {
			return nil
		}
		r.Console.Out = r.Console.Out.Now()
		if err := r.look(ctx); err != nil {
			return err
		}
		stale := r.follow()
		if len(r.Waiting()) == 0 {
			return nil
		}
		a, problem := parseAnswer(line, r.named())
		if stale && a.verb != verbQuit {
			problem = "nothing is done: that was typed before"
		}
		if problem == "" {
			problem = r.mean(&a)
		}
		switch {
		case problem != "":
			r.warn(problem)
		case a.verb == verbQuit, a.verb == verbSkip && r.isLast():
			r.left = a.verb == verbQuit
			return nil
		case a.verb == verbSay:
			r.Said = a.text
			return nil
		default:
			r.do(ctx, a)
		}
	}
}

// open shows what there is to decide.
func (r *Reviewer) open() {
	total := len(r.Waiting())
	for _, e := range r.Sessions() {
		if total <= tooMany {
			r.Console.Out.Print(headOf(r.Console.Out, e.Session) + r.drawn(r.WaitingIn(e.Session)) + "\n")
			continue
		}
		r.Console.Out.Print(headOf(r.Console.Out, e.Session) + r.entries(r.WaitingIn(e.Session)) + "\n")
	}
	if total > tooMany {
		r.step(0)
	}
}

func (r *Reviewer) entries(changes []view.Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString("  " + strings.ReplaceAll(entry(r.Console.Out, c), "\n", "\n  ") + "\n")
	}
	return b.String()
}

// warn says that something is not done, and why.
func (r *Reviewer) warn(why string) { r.Console.Out.Println(r.Console.Out.Paint(term.Ask, why)) }

// question names what waits and the answers that are worth a word now.
func (r *Reviewer) question() string {
	waiting := r.Waiting()
	letters, shown := LettersOf(waiting), r.shown()
	var words []string
	if shown == "" {
		words = []string{"[a]pply all " + strconv.Itoa(len(r.mine(letters))) + r.ofRun(), "letters (" + letters[0] + "," + letters[len(letters)-1] + ")", "[r]eject"}
	} else {
		words = []string{"[y]es", "[n]o"}
	}
	if slices.ContainsFunc(waiting, func(c view.Change) bool {
		return c.State == editing.Conflict && (shown == "" || c.Letter == shown)
	}) {
		words = append(words, "conflict: [m]ine [t]ake the agent's a[g]ain")
	}
	head := strings.Join(letters, ", ")
	switch {
	case shown == "":
		words = append(words, "[o]ne by one")
	case len(letters) > 1:
		head = fmt.Sprintf("%s (%d of %d)", shown, slices.Index(letters, shown)+1, len(letters))
		words = append(words, "[s]kip", "[a]ll "+strconv.Itoa(len(r.mine(letters)))+r.ofRun(), "[l]ist")
	}
	if shown != "" {
		words = append(words, "[e]dit")
	}
	words = append(words, "[d]iff", "[q]uit", "[?]")
	if r.Talks {
		words = append(words, "or words for the agent")
	}
	return head + " · " + strings.Join(words, ", ")
}

// shown is the letter that a bare yes or no is about: the one that is shown by itself, or the only one that waits.
func (r *Reviewer) shown() string {
	if letters := LettersOf(r.Waiting()); len(letters) == 1 {
		return letters[0]
	}
	return r.focus
}

// isLast reports whether no letter waits behind the one that is shown.
func (r *Reviewer) isLast() bool {
	letters := LettersOf(r.Waiting())
	return r.shown() == letters[len(letters)-1]
}

// mean completes an answer that names no letter: it is about the one that is shown. What is too short to be words is a slip.
func (r *Reviewer) mean(a *answer) (problem string) {
	const shortest = 3
	if r.Talks && a.words != "" {
		*a = answer{verb: verbSay, text: a.words}
	}
	switch a.verb {
	case verbSay:
		if !r.Talks || len(a.text) < shortest {
			return notUnderstood(a.text)
		}
	case verbCommit, verbRevert:
		if len(r.Files) > 0 {
			return "commit and revert are about whole editing sessions: galley review without a file shows all that would go with it"
		}
	case verbYes, verbNo, verbSkip, verbRemark, verbEdit, verbSplit, verbMine, verbAgents, verbAgain:
		if len(a.letters) == 0 && r.shown() != "" {
			a.letters = []string{r.shown()}
		}
		if len(a.letters) == 0 {
			return fmt.Sprintf("which letter? %s %s names one, o shows them one by one", wordOf(a.verb), LettersOf(r.Waiting())[0])
		}
	case verbUnreject:
		if len(a.letters) == 0 {
			return "which letter? l lists those that were rejected; u A brings A back"
		}
	}
	return ""
}

// show answers what changes nothing.
func (r *Reviewer) show(a answer) {
	out := r.Console.Out
	switch {
	case a.verb == verbHelp:
		out.Print(AnswerHelp(out))
		if r.Talks {
			out.Print("  " + term.Pad("words", 18) + "what is none of these is for the agent, which goes on; what is undecided is kept\n")
		}
	case a.verb == verbList:
		r.focus = ""
		out.Print(r.entries(r.all()))
	case a.verb == verbOne:
		r.focus = ""
		r.step(1)
	case a.verb == verbSkip:
		r.step(1)
	case a.verb == verbPrevious:
		r.step(-1)
	case len(a.letters) > 0:
		chosen := slices.DeleteFunc(r.all(), func(c view.Change) bool { return !slices.Contains(a.letters, c.Letter) })
		out.Page(r.drawn(chosen))
	default:
		for _, c := range r.Waiting() { // a patch leaves nothing out
			r.saw(c)
		}
		var patch strings.Builder
		for _, e := range r.Sessions() {
			patch.WriteString(drawnPatch(out, cmp.Or(e.Patch, "nothing is staged; conflicts are in no patch\n")))
		}
		out.Page(patch.String())
	}
}

// step shows the letter that is some places further on by itself.
func (r *Reviewer) step(by int) {
	letters := LettersOf(r.Waiting())
	at, found := slices.BinarySearch(letters, r.focus)
	switch {
	case r.focus == "" && by > 0:
		at = 0
	case !found && by > 0:
		// the letter behind the one that is gone
	default:
		at += by
	}
	at = (at + len(letters)) % len(letters)
	r.focus = letters[at]
	r.Console.Out.Print(r.drawn(r.Waiting()[at:at+1]) + "\n")
}

// goOn moves to the next letter when the one that is shown has been decided.
func (r *Reviewer) goOn() {
	waiting := LettersOf(r.Waiting())
	if r.focus != "" && len(waiting) > 0 && !slices.Contains(waiting, r.focus) {
		r.step(1)
	}
}
