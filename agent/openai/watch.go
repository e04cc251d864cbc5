package openai

import (
	"context"
	"errors"
	"time"
)

// Why a watch broke a request off.
var (
	errFirstByte = errors.New("the reply did not begin in time")
	errSilent    = errors.New("the reply fell silent")
	errTail      = errors.New("the reply was finished, but not its stream")
)

// tailTimeout is how long a stream may be silent once the server has said why the reply ends: a count of tokens and the
// mark of the end are still to come, and some servers never send it.
const tailTimeout = 10 * time.Second

// watch breaks a request off that takes too long: its first piece, or the silence between two reads. It is used by the
// goroutine that reads; only its timer fires elsewhere.
type watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	idle   time.Duration
	after  afterFunc
	timer  timer
	limit  time.Duration // of the silence
	cause  error         // why it fires; nil: the first piece is still waited for
}

// timer is time.Timer's part of it, and afterFunc time.AfterFunc's: a test fires them when it is time.
type timer interface {
	Stop() bool
	Reset(d time.Duration) bool
}

type afterFunc func(d time.Duration, f func()) timer

func systemTimer(d time.Duration, f func()) timer { return time.AfterFunc(d, f) }

func (m *Model) newWatch(ctx context.Context, p Profile) *watch {
	w := &watch{idle: time.Duration(p.IdleTimeout), after: m.after}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = w.after(time.Duration(p.FirstByteTimeout), func() { w.cancel(errFirstByte) })
	return w
}

// touch notes that bytes came. Before the first piece of the reply that says nothing: servers send comments while they
// are busy.
func (w *watch) touch() {
	if w.cause != nil {
		w.timer.Reset(w.limit)
	}
}

// talking is called when a piece of the reply came, ended when the server has said why it ends.
func (w *watch) talking() { w.allow(w.idle, errSilent) }
func (w *watch) ended()   { w.allow(min(w.idle, tailTimeout), errTail) }

func (w *watch) allow(limit time.Duration, cause error) {
	if w.cause == cause {
		return
	}
	w.timer.Stop()
	w.limit, w.cause = limit, cause
	w.timer = w.after(limit, func() { w.cancel(cause) })
}

func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}
