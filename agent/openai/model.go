package openai

import (
	"bytes"
	"context"
	"encoding/json"
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
		pick(&p.APIVersion, azureVersion)
	}
	return p
}

// Stream implements model.Model. It makes the request again as long as that is of use and nothing of the reply has
// come; each wait is told.
func (m *Model) Stream(ctx context.Context, req memory.Request, news func(model.Delta)) (model.Reply, error) {
	t := &talk{m: m, req: req, news: news, taught: map[string]bool{}}
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
	var top object
	list := elements(body)
	if list == nil && json.Unmarshal(body, &top) == nil {
		if list = elements(top["data"]); list == nil {
			list = elements(top["models"])
		}
	}
	if list == nil && top["data"] == nil && top["models"] == nil && string(body) != "[]" {
		return nil, &strange{text: string(body)}
	}
	names := []string{}
	for _, raw := range list {
		name := scalar(raw)
		var o object
		if json.Unmarshal(raw, &o) == nil {
			name = pickText(o, []string{"id", "name", "model"})
		}
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func pathEscape(name string) string { return url.PathEscape(name) }

// emptyReply is the error of a reply with nothing in it.
func (m *Model) emptyReply(r model.Reply) *Error {
	e := &Error{Kind: KindEmpty, What: fmt.Sprintf("the reply of %s was empty", m.Name()), Next: "prompt again; if it stays, the request may be longer than the server's context window, or use another model"}
	if r.Finish != "" {
		e.What += fmt.Sprintf(" (finish %s)", m.hidden.quote(r.Finish))
	}
	switch {
	case r.Finish == model.FinishFilter:
		return &Error{Kind: KindContentFilter, What: fmt.Sprintf("a content filter stopped the reply of %s", m.Name()), Next: "say it in other words, or use another model"}
	case r.Finish == model.FinishLength && r.Message.Reasoning != "":
		e.What = fmt.Sprintf("%s thought until the limit of its reply was reached, and answered nothing", m.Name())
		e.Next = "raise model.max_output_tokens, or have it think less"
	case r.Finish == model.FinishLength:
		e.What = fmt.Sprintf("%s reached the limit of its reply before the first word", m.Name())
		e.Next = "raise model.max_output_tokens, or the context window of the server"
	case r.Message.Reasoning != "":
		e.What = fmt.Sprintf("%s only thought, and answered nothing", m.Name())
	}
	return e
}
