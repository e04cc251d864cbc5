package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// Question is a command of the agent that waits for the person's word.
type Question struct {
	ID      string
	Run     string
	By      editing.Keeper // who asked for the run, and alone is asked
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
func (h *Host) confirmCommand(ctx context.Context, c session.Command) (bool, error) {
	return h.confirm(ctx, Question{Session: c.Session, Command: c.Text, Dir: filepath.Join(h.settings().Workspace, c.Dir)})
}

// confirm asks the person about a command, and holds the run until there is an answer: yes, no, or the end of the run.
func (h *Host) confirm(ctx context.Context, what Question) (bool, error) {
	q := h.put(what)
	defer h.take(q)
	select {
	case w := <-q.answer:
		if w.why != "" {
			return w.yes, errors.New(w.why)
		}
		return w.yes, nil
	case <-ctx.Done():
		return false, ctx.Err()
	case <-h.ctx.Done():
		return false, h.ctx.Err()
	}
}

// put lays a question open.
func (h *Host) put(what Question) *asked {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.nextAsk++
	q := &asked{what, make(chan word, 1)}
	q.ID = fmt.Sprintf("question-%d", h.nextAsk)
	if r := h.going(q.Session); r != nil {
		q.Run, q.By = r.ID, r.By
		r.AsksAbout(q.Command, q.Dir)
		h.touch(r)
	}
	h.asked = append(h.asked, q)
	h.bump()
	h.askedAt = h.seq
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
func (h *Host) take(q *asked) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.removeLocked(q)
	if r := h.runs[q.Run]; r != nil && r.State == RunWaiting {
		r.Goes(RunTool, r.Tool)
		h.touch(r)
	}
}

func (h *Host) removeLocked(q *asked) {
	if i := slices.Index(h.asked, q); i >= 0 {
		h.asked = slices.Delete(h.asked, i, i+1)
		h.bump()
		h.askedAt = h.seq
	}
}

// going is the run of a session that goes on, nil if there is none. It is called with the lock held.
func (h *Host) going(id string) *Run {
	for _, r := range h.runs {
		if r.Session == id && !r.State.Over() {
			return r
		}
	}
	return nil
}

// Answer is the person's word about a command: yes runs it; why, of a no, is told to the agent, and may be empty. A
// question that is closed already takes no answer.
func (h *Host) Answer(_ context.Context, id string, yes bool, why string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, q := range h.asked {
		if q.ID == id {
			q.answer <- word{yes, why}
			h.removeLocked(q)
			return nil
		}
	}
	return fmt.Errorf("nobody waits for an answer to %s any more", id)
}

// WaitQuestions answers the commands that wait for the word of a client's user, oldest first, when they are not those of
// seq any more, and the number they are at.
func (h *Host) WaitQuestions(ctx context.Context, by editing.Keeper, seq int64) (open []Question, now int64, err error) {
	err = h.mu.until(ctx, func() bool {
		open, now = nil, h.askedAt
		for _, q := range h.asked {
			if q.By == by {
				open = append(open, q.Question)
			}
		}
		return now > seq
	})
	return open, now, err
}
