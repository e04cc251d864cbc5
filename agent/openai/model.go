package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

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

// listTimeout bounds the one request that no model works for.
const listTimeout = 30 * time.Second

// Models asks the server which models it has. It asks once.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	p := m.Profile()
	if p.FirstByteTimeout.span() > listTimeout {
		p.FirstByteTimeout = Duration(listTimeout)
	}
	w := m.newWatch(ctx, p)
	defer w.stop()
	names, err := m.list(w.ctx, p)
	switch {
	case err == nil:
		return names, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	if cause := context.Cause(w.ctx); cause != nil {
		err = cause
	}
	return nil, m.judge(err, p).err
}

func (m *Model) list(ctx context.Context, p Profile) ([]string, error) {
	path := "/models"
	if p.API == apiAzure {
		path = "/openai/models?api-version=" + url.QueryEscape(p.APIVersion)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, m.addr.base(p.API)+path, nil)
	if err != nil {
		return nil, errors.New("model.base_url makes no address")
	}
	req.Header.Set("Accept", "application/json")
	switch {
	case m.cfg.Key != "" && p.API == apiAzure:
		req.Header.Set("api-key", m.cfg.Key)
	case m.cfg.Key != "":
		req.Header.Set("Authorization", "Bearer "+m.cfg.Key)
	}
	resp, err := m.send(req, p)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, lineMost))
	if err != nil {
		return nil, err
	}
	return readModels(body)
}

// readModels finds the names in the lists that servers send: {"data": […]}, {"models": […]}, or the list alone; of
// objects or of texts.
func readModels(body []byte) ([]string, error) {
	body = bytes.TrimSpace(body)
	if looksLikePage(body) {
		return nil, &strange{page: true, text: pageTitle(body)}
	}
	if f := failureIn(body, false); f != nil {
		return nil, f
	}
	top, list := objectOf(body), elements(body)
	for _, name := range []string{"data", "models"} {
		if list == nil {
			list = elements(top[name])
		}
	}
	if list == nil && top["data"] == nil && top["models"] == nil && string(body) != "[]" {
		return nil, &strange{text: string(body)}
	}
	names := []string{}
	for _, raw := range list {
		if name := first(scalar(raw), pickText(objectOf(raw), []string{"id", "name", "model"})); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// emptyReply is the error of a reply with nothing in it.
func (m *Model) emptyReply(r model.Reply) error {
	v := words{}
	if r.Finish != "" {
		v["finish"] = fmt.Sprintf(" (finish %s)", m.hidden.quote(r.Finish))
	}
	thought, limited := r.Message.Reasoning != "", r.Finish == model.FinishLength
	name := "empty"
	switch {
	case r.Finish == model.FinishFilter:
		name = "empty filtered"
	case limited && thought:
		name = "only thought to the limit"
	case limited:
		name = "limit before a word"
	case thought:
		name = "only thought"
	}
	return m.say(name, v).err
}
