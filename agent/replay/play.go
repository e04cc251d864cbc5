package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// player plays one recording once.
type player struct {
	name  string
	steps []step
	torn  bool // the last line was cut off
	next  int
}

// Play returns a model that answers as the recording in r does; name is shown in errors. A recording whose last line
// is torn can be played up to there.
func Play(name string, r io.Reader) (model.Model, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read the recording %s: %w", name, err)
	}
	first, rest, _ := bytes.Cut(content, []byte("\n"))
	if err := checkHead(first); err != nil {
		return nil, fmt.Errorf("the recording %s: %w", name, err)
	}
	p := &player{name: name}
	for n := 2; len(rest) > 0; n++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var s step
		switch err := json.Unmarshal(line, &s); {
		case err != nil && len(bytes.TrimSpace(rest)) == 0:
			p.torn = true
		case err != nil:
			return nil, fmt.Errorf("the recording %s is damaged in line %d: %w; record it anew", name, n, err)
		default:
			p.steps = append(p.steps, s)
		}
	}
	return p, nil
}

func checkHead(line []byte) error {
	var h head
	switch err := json.Unmarshal(line, &h); {
	case err != nil || h.Version == 0:
		return errors.New("this is not a recording of galley; make one with galley run --record FILE")
	case h.Version != version:
		return fmt.Errorf("it has format %d and this galley plays format %d; use the version of galley that made it, or record it anew", h.Version, version)
	}
	return nil
}

// Name implements model.Model.
func (p *player) Name() string { return "replay" }

// Stream implements model.Model.
func (p *player) Stream(ctx context.Context, req memory.Request, show func(model.Delta)) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	if p.next >= len(p.steps) {
		return model.Reply{}, p.ranOut()
	}
	s := p.steps[p.next]
	if what := differs(s.New, newIn(req.Messages)); what != "" {
		return model.Reply{}, fmt.Errorf(
			"the recording %s does not fit: at request %d %s; start from the same files, prompt and decisions, or record it anew", p.name, p.next+1, what)
	}
	p.next++
	if s.Reply.Content != "" {
		show(model.Delta{Text: s.Reply.Content})
	}
	return model.Reply{Message: s.Reply, Usage: s.Usage, Finish: s.Finish}, nil
}

func (p *player) ranOut() error {
	if p.torn {
		return fmt.Errorf("the recording %s was cut off in the reply to request %d; record it anew", p.name, p.next+1)
	}
	return fmt.Errorf("the recording %s has run out: it holds %d replies, and this is request %d; record a longer one", p.name, len(p.steps), p.next+1)
}

// differs says in words what is not as it was recorded; "" means nothing.
func differs(recorded, now []shape) string {
	call := 0
	for i := range min(len(recorded), len(now)) {
		was, is := recorded[i], now[i]
		if is.Role == memory.RoleTool {
			call++
		}
		switch {
		case was == is:
		case was.Role != is.Role || was.Tool != is.Tool:
			return fmt.Sprintf("there is %s where %s was", is, was)
		case is.Role != memory.RoleTool:
			return "the text of the person is another one"
		case was.outcome() != is.outcome():
			return fmt.Sprintf("the result of call %d (%s) is another one: it was %s and is now %s", call, is.Tool, was.outcome(), is.outcome())
		default:
			return fmt.Sprintf("the result of call %d (%s) is another one: %s as before, but with another text", call, is.Tool, is.outcome())
		}
	}
	switch {
	case len(recorded) > len(now):
		return fmt.Sprintf("%s is missing", recorded[len(now)])
	case len(recorded) < len(now):
		return fmt.Sprintf("there is %s that was not recorded", now[len(recorded)])
	}
	return ""
}

// String names a message for people.
func (s shape) String() string {
	if s.Role == memory.RoleTool {
		return "a result of " + s.Tool
	}
	return "a text of the person"
}

// outcome is how a tool's answer begins.
func (s shape) outcome() string {
	switch {
	case s.Status == "":
		return "plain text"
	case s.Code == "":
		return s.Status
	}
	return s.Status + " " + s.Code
}
