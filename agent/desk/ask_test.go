package desk

import (
	"context"
	"errors"
	"testing"
)

// confirming lets a session ask about a command, as one that runs it would.
func confirming(ctx context.Context, d *Desk, what Question) <-chan bool {
	answer := make(chan bool, 1)
	go func() {
		yes, err := d.confirm(ctx, what)
		answer <- yes && err == nil
	}()
	return answer
}

// questions waits until so many are open.
func (p *place) questions(d *Desk, n int) []Question {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for seq := int64(-1); ; {
		open, now, err := d.WaitQuestions(ctx, seq)
		if err != nil {
			p.t.Fatalf("%d questions do not come: %v", n, err)
		}
		if len(open) == n {
			return open
		}
		seq = now
	}
}

func TestQuestions(t *testing.T) {
	p := newPlace(t, nil)
	d := p.open()
	ctx := context.Background()
	if open, seq, err := d.WaitQuestions(ctx, -1); err != nil || open != nil || seq != 0 {
		t.Errorf("%v %d %v", open, seq, err)
	}
	run := p.start(d, Prompt{Text: "do wait"})
	<-p.puppet.entered
	one := confirming(ctx, d, Question{Session: d.Current(), Command: "go test", Dir: p.root})
	first := p.questions(d, 1)[0]
	if first.Run != run || first.Command != "go test" || first.Dir != p.root || first.ID == "" {
		t.Errorf("%+v", first)
	}
	want := "your word about a command: go test (in " + p.root + ")"
	p.run(d, run, "the wait", func(r Run) bool { return r.State == "waiting" && r.Waiting == want })
	two := confirming(ctx, d, Question{Session: "01OTHER", Command: "make"})
	second := p.questions(d, 2)[1]
	if second.Run != "" || second.Command != "make" || second.ID == first.ID {
		t.Errorf("%+v", second)
	}
	if err := d.Answer(ctx, first.ID, true, ""); err != nil {
		t.Error(err)
	}
	if !<-one {
		t.Error("a yes was heard as a no")
	}
	p.run(d, run, "the tool", func(r Run) bool { return r.State == "tool" && r.Waiting == "" })
	if err := d.Answer(ctx, first.ID, true, ""); err == nil {
		t.Error("a question took two answers")
	}
	if err := d.Answer(ctx, second.ID, false, ""); err != nil {
		t.Error(err)
	}
	if <-two {
		t.Error("a no was heard as a yes")
	}
	p.questions(d, 0)
}

// A question ends with its run and with the desk, and that is a no.
func TestQuestionsEnd(t *testing.T) {
	p := newPlace(t, nil)
	d := p.open()
	ctx, cancel := context.WithCancel(context.Background())
	one := confirming(ctx, d, Question{Command: "go test"})
	id := p.questions(d, 1)[0].ID
	cancel()
	if <-one {
		t.Error("a cancelled question was a yes")
	}
	p.questions(d, 0)
	if err := d.Answer(context.Background(), id, true, ""); err == nil {
		t.Error("a question that was withdrawn took an answer")
	}
	two := confirming(context.Background(), d, Question{Command: "make"})
	p.questions(d, 1)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if <-two {
		t.Error("the end of the desk was a yes")
	}
	if _, _, err := d.WaitQuestions(ctx, 1<<40); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
