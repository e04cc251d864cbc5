package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/galley-ls/galley/agent/tools"
)

const retriesWatch = "You take one letter and refuse another with a reason, which the agent answers. You type into a file with CRLF line ends " +
	"yourself, and the letters that still wait move along."

// The files of this walk.
const (
	clientFile = "internal/client/client.go"
	guideFile  = "docs/guide.md"
)

// What is wanted of them: by the person of the agent, and by the person of himself.
func moreRetries() wish  { return wish{clientFile, "defaultRetries = 3", "defaultRetries = 5"} }
func longerPause() wish  { return wish{"", "pause = 200", "pause = 500"} }
func guideRetries() wish { return wish{guideFile, "up to 3 times", "up to 5 times"} }

func guideWait() (w wish, instruction string) {
	const before, line = "doubles with each attempt.\r\n", "The wait never outlasts the context's deadline."
	return wish{guideFile, before, before + line + "\r\n"}, fmt.Sprintf(`append "%s\n" after "## Retries"`, line)
}

func typedWish() wish {
	const title = "# Shop client: a short guide\r\n"
	return wish{guideFile, title, title + "\r\nReviewed for version 2.\r\nQuestions go to the shop's team.\r\n"}
}

// refusal is why the person refuses a letter.
const refusal = "keep 200 ms, the server asks for it"

// retries is the walk with a nested task, in which letters are decided one by one.
func (a *act) retries(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		a.proposeRetries, a.reviewRetries, a.typeIntoGuide, a.hearRefusal, a.takeRest,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (a *act) proposeRetries(ctx context.Context) error {
	_, wait := guideWait()
	prompt := strings.Join([]string{
		`task "retry five times"`, moreRetries().words(), longerPause().words() + ` because "five quick retries are too many"`,
		`task "tell it in the guide"`, guideRetries().words(), wait,
		`commit "the guide tells five retries"`, `commit "five retries"`,
	}, "\n")
	shown := false
	a.started = func(tool string) {
		if tool == "memo_commit" && !shown { // the inner task is still open, and so is the outer one
			a.tree()
			shown = true
		}
	}
	a.next("You say what you want. The agent works on a task and a task inside it, and proposes both")
	if err := a.run(ctx, prompt); err != nil {
		return err
	}
	a.before = a.asked
	if err := a.expectLast(tools.StatusProposed); err != nil {
		return err
	}
	return a.expectUntouched(clientFile, guideFile)
}

// reviewRetries takes the first letter and refuses the second.
func (a *act) reviewRetries(ctx context.Context) error {
	a.next("You review when you like (galley review): one letter now, one never, the others later")
	a.proofs(0)
	letters := lettersOf(a.waiting())
	if len(letters) < 3 {
		return fmt.Errorf("more letters should wait than %q", letters)
	}
	if err := a.replies(ctx, 0, letters[0]); err != nil {
		return err
	}
	if err := a.replies(ctx, 0, "r "+letters[1]+" "+refusal); err != nil {
		return err
	}
	if err := a.expectWaiting(letters[2:]...); err != nil {
		return err
	}
	if err := a.expectUntouched(guideFile); err != nil {
		return err
	}
	return a.expectGranted(clientFile, moreRetries())
}

// typeIntoGuide writes lines into the guide, as an editor does when the person saves.
func (a *act) typeIntoGuide(ctx context.Context) error {
	a.next("Meanwhile you type into " + guideFile + " (the demo writes what your editor would save)")
	guide, err := a.disk(guideFile)
	if err != nil {
		return err
	}
	typed := typedWish().granted(guide)
	added := strings.Count(typed, "\n") - strings.Count(guide, "\n")
	for _, d := range differences(guide, typed) {
		a.drawn(d.now)
	}
	was := a.lines()
	if err := os.WriteFile(a.path(guideFile), []byte(typed), 0o644); err != nil {
		return err
	}
	if err := a.session.Refresh(ctx); err != nil {
		return err
	}
	for _, c := range a.waiting() {
		is := a.lines()[c.Letter]
		if is != was[c.Letter]+added {
			return fmt.Errorf("%d lines came above %s on line %d, and now it is on line %d", added, c.Letter, was[c.Letter], is)
		}
		a.note(fmt.Sprintf("[%s] line %d → line %d", c.Letter, was[c.Letter], is))
	}
	return nil
}

// lines are the lines of the letters that wait.
func (a *act) lines() map[string]int {
	lines := map[string]int{}
	for _, c := range a.waiting() {
		lines[c.Letter] = c.Where.Line
	}
	return lines
}

// hearRefusal lets the agent hear what was decided, and answer.
func (a *act) hearRefusal(ctx context.Context) error {
	a.next("You go on. The agent hears first what happened meanwhile, and answers the refusal")
	news, _, err := a.session.Notices()
	if err != nil {
		return err
	}
	a.voice(styleFaint, markHears, "the agent hears: "+strings.TrimPrefix(news, "[galley] "))
	a.started = func(string) {
		if said := a.words[0]; len(a.words) == 1 {
			a.answers(said[:max(0, strings.LastIndex(said, "\n"))]) // the last line names the step
		}
	}
	if err := a.run(ctx, `remember decision "the first wait stays at 200 ms"`); err != nil {
		return err
	}
	a.answers(a.words[len(a.words)-1])
	if !strings.Contains(a.words[0], refusal) {
		return fmt.Errorf("the agent should answer the refusal, and it says %q", a.words[0])
	}
	return nil
}

// takeRest takes all that still waits, and ends the work.
func (a *act) takeRest(ctx context.Context) error {
	a.next("You take what is left. It lands where it belongs, between your own lines")
	if err := a.replies(ctx, 0, "a"); err != nil {
		return err
	}
	if _, err := a.session.End(ctx); err != nil {
		return err
	}
	wait, _ := guideWait()
	if err := a.expectGranted(clientFile, moreRetries()); err != nil {
		return err
	}
	if err := a.expectGranted(guideFile, typedWish(), guideRetries(), wait); err != nil {
		return err
	}
	if err := a.files(clientFile, guideFile); err != nil {
		return err
	}
	if err := a.lineEnds(); err != nil {
		return err
	}
	a.tree()
	return a.settled()
}

// lineEnds counts how the lines of the guide end.
func (a *act) lineEnds() error {
	was, err := sample(guideFile)
	if err != nil {
		return err
	}
	now, err := a.disk(guideFile)
	if err != nil {
		return err
	}
	a.note(fmt.Sprintf("Every other byte is what it was. Lines of %s that end in CRLF: %d of %d before, %d of %d now.",
		guideFile, strings.Count(was, "\r\n"), strings.Count(was, "\n"), strings.Count(now, "\r\n"), strings.Count(now, "\n")))
	return nil
}
