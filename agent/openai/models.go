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
	"strings"
	"time"
)

const (
	listTimeout = 30 * time.Second // of the one request that no model works for
	lookTimeout = 3 * time.Second  // of the same before a run, which goes on without an answer
	namesMost   = 5                // that a sentence names
)

// Look implements model.Looker: it learns the window, and looks whether the server has the model. A server that does not
// answer says why when it is asked for a reply.
func (m *Model) Look(ctx context.Context) (warnings []string) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	names, err := m.Models(ctx)
	if err != nil || len(names) == 0 || slices.ContainsFunc(names, m.isCalled) || m.takesAnyName() {
		return nil
	}
	shown := strings.Join(names[:min(len(names), namesMost)], ", ")
	if more := len(names) - namesMost; more > 0 {
		shown += fmt.Sprintf(" and %d more", more)
	}
	return []string{fmt.Sprintf("%s does not list the model %s; it has %s (galley doctor says more)", m.addr.host, m.cfg.Model, m.hidden.quote(shown))}
}

// Window implements model.Looker: what the settings say, else the least of what the server says, and refused.
func (m *Model) Window() int {
	p := m.Profile()
	if p.RequestLimit > 0 && m.cfg.Profile.ContextWindow == 0 && (p.ContextWindow == 0 || p.RequestLimit < p.ContextWindow) {
		return p.RequestLimit
	}
	return p.ContextWindow
}

// takesAnyName: Azure lists models, and is asked for deployments; llama.cpp has one model, whatever it is called.
func (m *Model) takesAnyName() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.single || strings.HasPrefix(m.row, "Azure") || m.cfg.Profile.API == apiAzure
}

// isCalled tells whether a name of the server's list is the model's: Ollama calls the newest ":latest", Gemini puts
// "models/" before each, and OpenRouter is asked for a way to it behind a colon.
func (m *Model) isCalled(listed string) bool { return Means(m.cfg.Model, listed) }

// Means tells whether a model asked for by a name is the one that a server lists under another.
func Means(name, listed string) bool {
	base, _, _ := strings.Cut(name, ":")
	listed = strings.TrimPrefix(listed, "models/")
	return slices.Contains([]string{name, name + ":latest", base}, listed)
}

// Models asks the server which models it has, and learns what the list says of this one. It asks once.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	p := m.Profile()
	if p.FirstByteTimeout.span() > listTimeout {
		p.FirstByteTimeout = Duration(listTimeout)
	}
	w := m.newWatch(ctx, p)
	defer w.stop()
	path := "/models"
	if p.API == apiAzure {
		path = "/openai/models?api-version=" + url.QueryEscape(p.APIVersion)
	}
	list, err := m.list(w.ctx, p, m.addr.base(p.API)+path)
	switch {
	case err == nil:
		m.learnWindow(w.ctx, p, list)
		return namesIn(list), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	if cause := context.Cause(w.ctx); cause != nil {
		err = cause
	}
	return nil, m.judge(err, p).err
}

// learnWindow learns how large the model's window is from the server's list, or from the list of its own kind that tells
// it.
func (m *Model) learnWindow(ctx context.Context, p Profile, list []listed) {
	window := m.windowIn(list)
	if path := rowNamed(m.row).text("windows", nil); path != "" && window == 0 {
		own, err := m.list(ctx, p, m.addr.scheme+"://"+m.addr.host+path)
		if err == nil {
			window = m.windowIn(own)
		}
	}
	if window > 0 {
		m.change(func(p *Profile) {
			if p.ContextWindow > 0 && p.ContextWindow != window { // it was begun anew with another window, so what it refused says nothing
				p.RequestLimit = 0
			}
			p.ContextWindow = window
		})
	}
}

// windowIn is the window that a list says the model has, 0 if it does not say.
func (m *Model) windowIn(list []listed) int {
	i := slices.IndexFunc(list, func(l listed) bool { return m.isCalled(l.name) })
	single := len(list) == 1 && list[0].owner == "llamacpp"
	m.mu.Lock()
	m.single = m.single || single
	m.mu.Unlock()
	switch {
	case i >= 0:
		return list[i].window
	case single:
		return list[0].window
	}
	return 0
}

func (m *Model) list(ctx context.Context, p Profile, address string) ([]listed, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
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

// listed is a model in a server's list.
type listed struct {
	name, owner string
	window      int
}

// readModels reads the lists that servers send: {"data": […]}, {"models": […]}, or the list alone; of objects or of texts.
func readModels(body []byte) ([]listed, error) {
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
	var models []listed
	for _, raw := range list {
		o := objectOf(raw)
		if name := first(scalar(raw), pickText(o, []string{"id", "name", "model"})); name != "" {
			models = append(models, listed{name, scalar(o["owned_by"]), windowOf(o)})
		}
	}
	return models, nil
}

// windowOf is the window in a list's entry: what is loaded goes before what could be, and the way that a request takes
// before the model.
func windowOf(o object) int {
	for _, n := range []int{
		number(objectOf(o["meta"]), "n_ctx"),                  // llama.cpp
		number(o, "max_model_len"),                            // vLLM
		number(o, "loaded_context_length"),                    // LM Studio
		number(objectOf(o["top_provider"]), "context_length"), // OpenRouter
		number(o, "context_length", "context_window"),
	} {
		if n > 0 {
			return n
		}
	}
	return 0
}

func namesIn(list []listed) []string {
	names := []string{}
	for _, l := range list {
		names = append(names, l.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
