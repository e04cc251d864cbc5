package agent_test

import (
	"context"
	"errors"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// scripted is a model that says what it is told to.
type scripted struct {
	replies []memory.Message
	asked   []memory.Request
}

func (*scripted) Name() string { return "scripted" }

func (m *scripted) Stream(_ context.Context, req memory.Request, _ func(model.Delta)) (model.Reply, error) {
	m.asked = append(m.asked, req)
	if len(m.replies) == 0 {
		return model.Reply{}, errors.New("the script is over")
	}
	r := m.replies[0]
	m.replies = m.replies[1:]
	return model.Reply{Message: r, Finish: model.FinishStop}, nil
}
