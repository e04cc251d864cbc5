package main

import (
	"context"
	"strings"

	"github.com/galley-ls/galley/agent/tools"
)

const featureWatch = "The edit waits under a letter, and the file stays as it is until you take it. Then the conversation about it is folded " +
	"away, so that the next request to the model is smaller."

// feature is the walk in which one change goes from the wish to the file.
func (a *act) feature(ctx context.Context) error {
	on := wish{"config.json", `"experimental": []`, `"experimental": ["X"]`}
	prompt := strings.Join([]string{`task "enable feature X"`, "read " + on.file, on.words(), `commit "feature X is on"`}, "\n")
	a.decide = func(ctx context.Context, edit int) error { return a.takeFeature(ctx, edit, on.file) }
	a.next("You say what you want; the agent works through its tools, and stages its edit")
	if err := a.run(ctx, prompt); err != nil {
		return err
	}
	if err := a.expectLast(tools.StatusCommitted); err != nil {
		return err
	}
	if err := a.expectGranted(on.file, on); err != nil {
		return err
	}
	if err := a.files(on.file); err != nil {
		return err
	}
	a.tree()
	return a.settled()
}

// takeFeature plays the person while the agent waits with its commit.
func (a *act) takeFeature(ctx context.Context, edit int, file string) error {
	a.before = a.asked
	if err := a.expectUntouched(file); err != nil {
		return err
	}
	a.next("It wants to commit. galley shows you the proof and asks; " + file + " is untouched so far")
	a.proofs(1)
	a.question(edit)
	if err := a.replies(ctx, edit, lettersOf(a.waiting())[0]); err != nil {
		return err
	}
	a.next("You took it: the file is written, the task is done, its messages are folded away")
	return nil
}
