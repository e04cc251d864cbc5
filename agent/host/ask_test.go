package host

import (
	"context"
	"errors"
	"testing"
)

// confirming lets a session ask about a command, as one that runs it would.
func confirming(ctx context.Context, h *Host, what Question) <-chan bool {
	answer := make(chan bool, 1)
	go func() {
		yes, err := h.confirm(ctx, what)
		answer <- yes && err == nil
	}()
	return answer
}

// questions waits until so many are open.
func (p *place) questions(h *Host, n int) []Question {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for seq := int64(-1); ; {
		open, now, err := h.WaitQuestions(ctx, 0, seq)
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
	h := p.open()
	ctx := context.Background()
	if open, seq, err := h.WaitQuestions(ctx, 0, -1); err != nil || open != nil || seq != 0 {
		t.Errorf("%v %d %v", open, seq, err)
	}
	run := p.start(h, Prompt{Text: "do wait"})
	<-p.puppet.entered
	one := confirming(ctx, h, Question{Session: h.Current(), Command: "go test", Dir: p.root})
	first := p.questions(h, 1)[0]
	if first.Run != run || first.Command != "go test" || first.Dir != p.root || first.ID == "" {
		t.Errorf("%+v", first)
	}
	want := "your word about a command: go test (in " + p.root + ")"
	p.run(h, run, "the wait", func(r Run) bool { return r.State == "waiting" && r.Waiting == want })
	two := confirming(ctx, h, Question{Session: "01OTHER", Command: "make"})
	second := p.questions(h, 2)[1]
	if second.Run != "" || second.Command != "make" || second.ID == first.ID {
		t.Errorf("%+v", second)
	}
	if err := h.Answer(ctx, first.ID, true, ""); err != nil {
		t.Error(err)
	}
	if !<-one {
		t.Error("a yes was heard as a no")
	}
	p.run(h, run, "the tool", func(r Run) bool { return r.State == "tool" && r.Waiting == "" })
	if err := h.Answer(ctx, first.ID, true, ""); err == nil {
		t.Error("a question took two answers")
	}
	if err := h.Answer(ctx, second.ID, false, ""); err != nil {
		t.Error(err)
	}
	if <-two {
		t.Error("a no was heard as a yes")
	}
	p.questions(h, 0)
}

// A question ends with its run and with the host, and that is a no.
func TestQuestionsEnd(t *testing.T) {
	p := newPlace(t, nil)
	h := p.open()
	ctx, cancel := context.WithCancel(context.Background())
	one := confirming(ctx, h, Question{Command: "go test"})
	id := p.questions(h, 1)[0].ID
	cancel()
	if <-one {
		t.Error("a cancelled question was a yes")
	}
	p.questions(h, 0)
	if err := h.Answer(context.Background(), id, true, ""); err == nil {
		t.Error("a question that was withdrawn took an answer")
	}
	two := confirming(context.Background(), h, Question{Command: "make"})
	p.questions(h, 1)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if <-two {
		t.Error("the end of the host was a yes")
	}
	if _, _, err := h.WaitQuestions(ctx, 0, 1<<40); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
