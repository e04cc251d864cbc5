package openai

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// talk is one call of Stream: the tries at one request.
type talk struct {
	m     *Model
	req   memory.Request
	show  func(model.Delta)
	tries int
	empty bool // an empty reply came before

	taught  map[string]bool // what the refusals of this request have taught
	lessons []func(*Profile)
}

// attempt is what came of one try.
type attempt struct {
	reply   model.Reply
	err     error
	begun   bool   // something of the reply came
	think   string // what its text has shown about where thoughts begin; "": nothing
	profile Profile
	sent    map[string]bool
}

func (t *talk) run(ctx context.Context) (model.Reply, error) {
	for {
		if err := ctx.Err(); err != nil {
			return model.Reply{}, err
		}
		t.tries++
		a := t.try(ctx)
		if a.err == nil || a.begun {
			t.keep()
		}
		switch {
		case ctx.Err() != nil && a.err != nil:
			return a.reply, ctx.Err()
		case a.err == nil && !a.reply.Empty():
			t.noteThinking(a)
			return a.reply, nil
		case a.err == nil && (t.empty || t.tries >= t.m.cfg.Tries || hopeless(a.reply.Finish)):
			return t.failed(a, t.m.emptyReply(a.reply))
		case a.err == nil:
			t.empty = true
			t.show(model.Delta{Waiting: fmt.Sprintf("an empty reply from %s, asking once more", t.m.addr.host)})
		default:
			if again, err := t.next(ctx, a); !again {
				return t.failed(a, err)
			}
		}
	}
}

// hopeless tells whether an empty reply with that end would only come again.
func hopeless(finish string) bool {
	return finish == model.FinishLength || finish == model.FinishFilter
}

// failed is a reply of which nothing counts but what it cost.
func (t *talk) failed(a attempt, err error) (model.Reply, error) {
	return model.Reply{Usage: a.reply.Usage}, err
}

// next decides what follows a try that went wrong: another profile at once, the same request after a wait, or the end.
func (t *talk) next(ctx context.Context, a attempt) (again bool, err error) {
	v := t.m.judge(a.err, a.profile)
	if a.begun {
		return false, cutOff(v, a.err)
	}
	if t.learn(v, a) {
		t.tries--
		return true, nil
	}
	var long *model.TooLongError
	if errors.As(v.err, &long) && long.Limit > 0 && !perMinute().MatchString(v.fail.said()) {
		t.m.change(func(p *Profile) { p.RequestLimit = long.Limit })
	}
	tries := min(v.tries, t.m.cfg.Tries)
	if t.tries >= tries {
		return false, tired(v.err, t.tries)
	}
	wait := v.after
	if wait == 0 {
		base := waitFirst
		if v.slow {
			base = loadFirst
		}
		wait = backoff(base, t.tries, t.m.cfg.Random())
	}
	t.show(model.Delta{Waiting: fmt.Sprintf("%s, again in %s (%d of %d)", v.short, span(wait), t.tries+1, tries)})
	if err := t.m.cfg.Clock.Sleep(ctx, wait); err != nil {
		return false, err
	}
	return true, nil
}

// tired adds to an error how often the request was made.
func tired(err error, tries int) error {
	var e *Error
	if tries < 2 || !errors.As(err, &e) {
		return err
	}
	more := *e
	more.What = fmt.Sprintf("%s (tried %d times)", e.What, tries)
	return &more
}

// noteThinking keeps what a reply has shown about where its thoughts begin.
func (t *talk) noteThinking(a attempt) {
	if a.think != "" {
		t.m.change(func(p *Profile) { p.Thinking = a.think })
	}
}

// try makes the request once.
func (t *talk) try(ctx context.Context) attempt {
	p := t.m.profileWith(t.lessons)
	w := t.m.newWatch(ctx, p)
	defer w.stop()
	s := &sending{m: t.m, p: p, watch: w}
	s.turns, s.tools = prepare(t.req, p)
	r := newReader(t.req, p, t.show)
	err := t.read(s, r)
	if cause := context.Cause(w.ctx); err != nil && cause != nil && ctx.Err() == nil {
		err = cause
	}
	a := attempt{begun: r.begun, profile: p, sent: s.sent}
	if err = r.judgeEnd(s.came, err); err != nil {
		a.err = err
		a.reply.Usage = r.usage
		return a
	}
	a.reply = r.end()
	switch {
	case r.opened:
		a.think = thinkOpen
	case r.unopened:
		a.think = thinkTags
	}
	return a
}

func (t *talk) read(s *sending, r *reader) error {
	stream, err := s.client().CreateChatCompletionStream(s.watch.ctx, blank)
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		raw, err := s.came.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		c := decodeChunk(raw)
		switch came := r.take(c); {
		case c.finish != "" && r.begun && !r.early:
			s.watch.ended()
		case came || c.finish != "":
			s.watch.talking()
		}
		if full, err := r.full(); full {
			return err
		}
	}
}
