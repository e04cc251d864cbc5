package openai

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// Model is one model at one server.
type Model struct {
	cfg    Config
	addr   address
	table  Profile // what the table of servers says
	row    string
	hidden mask
	client *http.Client
	after  afterFunc

	mu     sync.Mutex
	learnt Profile // guarded by mu
	single bool    // guarded by mu: the server has one model and takes any name for it
}

// Name implements model.Model.
func (m *Model) Name() string { return m.cfg.Model + " at " + m.addr.host }

// Profile is what is in force now: the settings, over what was learnt, over the table, over the defaults.
func (m *Model) Profile() Profile { return m.profileWith(nil) }

// profileWith is what would be in force with some more lessons.
func (m *Model) profileWith(lessons []func(*Profile)) Profile {
	m.mu.Lock()
	learnt := m.learnt
	m.mu.Unlock()
	for _, learn := range lessons {
		learn(&learnt)
	}
	return m.inForce(learnt)
}

func (m *Model) inForce(learnt Profile) Profile {
	p := m.cfg.Profile.over(learnt.over(m.table.over(defaults())))
	if p.API == apiAzure {
		p.APIVersion = first(p.APIVersion, azureVersion)
	}
	return p
}

// Stream implements model.Model. It makes the request again as long as that is of use and nothing of the reply has
// come; each wait is told.
func (m *Model) Stream(ctx context.Context, req memory.Request, show func(model.Delta)) (model.Reply, error) {
	t := &talk{m: m, req: req, show: show, taught: map[string]bool{}}
	reply, err := t.run(ctx)
	if err != nil && ctx.Err() != nil {
		return model.Reply{Usage: reply.Usage}, ctx.Err()
	}
	return reply, err
}

// windowNear is how near to the end of its window a server stops, in tokens.
const windowNear = 32

// emptyReply is the error of a reply with nothing in it.
func (m *Model) emptyReply(r model.Reply) error {
	v := words{}
	if r.Finish != "" {
		v["finish"] = fmt.Sprintf(" (finish %s)", m.hidden.quote(r.Finish))
	}
	thought, limited := r.Message.Reasoning != "", r.Finish == model.FinishLength
	name, window := "empty", m.Window()
	switch {
	case r.Finish == model.FinishFilter:
		name = "empty filtered"
	case limited && window > 0 && r.Usage.Input+r.Usage.Output >= window-windowNear:
		name, v["limit"] = "limit of the window", strconv.Itoa(window)
	case limited && thought:
		name = "only thought to the limit"
	case limited:
		name = "limit before a word"
	case thought:
		name = "only thought"
	}
	return m.say(name, v).err
}
