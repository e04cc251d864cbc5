package replay

import (
	"context"
	"fmt"
	"io"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// Record returns a model that answers as m does and writes each reply to w, one whole line at a time. A reply that
// cannot be recorded is an error: a recording with a hole could not be played. No secret is written, should a server tell
// one back.
func Record(m model.Model, w io.Writer, secrets ...string) model.Model {
	return &recorder{Model: m, w: w, secrets: memory.NewSecrets(secrets)}
}

type recorder struct {
	model.Model
	w        io.Writer
	secrets  memory.Secrets
	begun    bool // the head is written
	requests int
}

// Look implements model.Looker.
func (r *recorder) Look(ctx context.Context) []string {
	if l, ok := r.Model.(model.Looker); ok {
		return l.Look(ctx)
	}
	return nil
}

// Window implements model.Looker.
func (r *recorder) Window() int {
	if l, ok := r.Model.(model.Looker); ok {
		return l.Window()
	}
	return 0
}

// Stream implements model.Model.
func (r *recorder) Stream(ctx context.Context, req memory.Request, show func(model.Delta)) (model.Reply, error) {
	if !r.begun {
		if err := r.write(head{Version: version, Model: r.Name()}); err != nil {
			return model.Reply{}, err
		}
		r.begun = true
	}
	reply, err := r.Model.Stream(ctx, req, show)
	if err != nil {
		return reply, err
	}
	r.requests++
	return reply, r.write(step{
		Request: r.requests, New: newIn(req.Messages),
		Reply: reply.Message, Usage: reply.Usage, Finish: reply.Finish,
	})
}

func (r *recorder) write(line any) error {
	text, err := memory.Marshal(line)
	if err != nil {
		return fmt.Errorf("record the reply: %w", err)
	}
	if _, err := io.WriteString(r.w, r.secrets.Mask(string(text))+"\n"); err != nil {
		return fmt.Errorf("record the reply: %w; give --record a file that can be written", err)
	}
	return nil
}
