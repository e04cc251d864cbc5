package desk

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
)

// Question is a command of the agent that waits for the person's word.
type Question struct {
	ID      string
	Run     string
	Session string
	Command string
	Dir     string // where it would run
}

// word is the person's, about a question.
type word struct {
	yes bool
	why string // of a no, for the agent; may be empty
}

// asked is a question with the way to whoever waits for the answer.
type asked struct {
	Question
	answer chan word // takes one
}

// confirmCommand is a session's Confirm.
func (d *Desk) confirmCommand(ctx context.Context, c session.Command) (bool, error) {
	return d.confirm(ctx, Question{Session: c.Session, Command: c.Text, Dir: filepath.Join(d.settings().Workspace, c.Dir)})
}

// confirm asks the person about a command, and holds the run until there is an answer: yes, no, or the end of the run.
func (d *Desk) confirm(ctx context.Context, what Question) (bool, error) {
	q := d.put(what)
	defer d.take(q)
	select {
	case w := <-q.answer:
		if w.why != "" {
			return w.yes, errors.New(w.why)
		}
		return w.yes, nil
	case <-ctx.Done():
		return false, ctx.Err()
	case <-d.ctx.Done():
		return false, d.ctx.Err()
	}
}

// put lays a question open.
func (d *Desk) put(what Question) *asked {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.nextAsk++
	q := &asked{what, make(chan word, 1)}
	q.ID = fmt.Sprintf("question-%d", d.nextAsk)
	if r := d.going(q.Session); r != nil {
		q.Run = r.ID
		r.State, r.Waiting = "waiting", fmt.Sprintf("your word about a command: %s (in %s)", beginning(q.Command), q.Dir)
		d.touch(r)
	}
	d.asked = append(d.asked, q)
	d.bump()
	d.askedAt = d.seq
	return q
}

// beginning is the first words of a command: the question shows it whole.
func beginning(command string) string {
	const most = 80
	r := []rune(strings.Join(strings.Fields(command), " "))
	if len(r) > most {
		r = append(r[:most-1], '…')
	}
	return string(r)
}

// take closes a question, answered or not.
func (d *Desk) take(q *asked) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.removeLocked(q)
	if r := d.runs[q.Run]; r != nil && r.State == "waiting" {
		r.state("tool", r.Tool)
		d.touch(r)
	}
}

func (d *Desk) removeLocked(q *asked) {
	if i := slices.Index(d.asked, q); i >= 0 {
		d.asked = slices.Delete(d.asked, i, i+1)
		d.bump()
		d.askedAt = d.seq
	}
}

// going is the run of a session that goes on, nil if there is none. It is called with the lock held.
func (d *Desk) going(id string) *Run {
	for _, r := range d.runs {
		if r.Session == id && !r.over() {
			return r
		}
	}
	return nil
}

// Answer is the person's word about a command: yes runs it; why, of a no, is told to the agent, and may be empty. A
// question that is closed already takes no answer.
func (d *Desk) Answer(_ context.Context, id string, yes bool, why string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, q := range d.asked {
		if q.ID == id {
			q.answer <- word{yes, why}
			d.removeLocked(q)
			return nil
		}
	}
	return fmt.Errorf("nobody waits for an answer to %s any more", id)
}

// WaitQuestions answers the commands that wait for the person's word, oldest first, when they are not those of seq any
// more, and the number they are at.
func (d *Desk) WaitQuestions(ctx context.Context, seq int64) ([]Question, int64, error) {
	for {
		d.mu.Lock()
		now, wake := d.askedAt, d.wake
		var open []Question
		for _, q := range d.asked {
			open = append(open, q.Question)
		}
		d.mu.Unlock()
		if now > seq {
			return open, now, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, now, ctx.Err()
		}
	}
}
