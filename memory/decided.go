package memory

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/oklog/ulid/v2"
)

// decisionVersion is the version of decisions that this code writes; it leaves those of
// a later one alone.
const decisionVersion = 1

// Decision is what somebody decided about changes, as the workspace's journal keeps it:
// whether it stands still is for the changes themselves to say.
type Decision struct {
	ID      string          `json:"id"` // a ULID; Decided gives one if it is ""
	What    string          `json:"what"`
	Session string          `json:"session"`
	Edit    int             `json:"edit,omitempty"`
	Letters []DecidedLetter `json:"letters,omitempty"`
	Of      string          `json:"of,omitempty"` // of an undo: the decision that it takes back
	By      Client          `json:"by,omitzero"`
	Time    time.Time       `json:"-"`
}

// DecidedLetter is one change that a decision is about.
type DecidedLetter struct {
	Letter   string `json:"change"`
	Order    int64  `json:"order"` // names the change in its session, whatever letter it has later
	Revision int    `json:"revision"`
	File     string `json:"file"` // as shown to people
	To       string `json:"to"`   // the state that the decision gave it
}

// Client is who decides: a terminal, an editor. What is not known is "".
type Client struct {
	Kind string `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
}

// String is how people are told of it.
func (c Client) String() string { return cmp.Or(c.Name, c.Kind) }

// Kinds of clients.
const (
	ClientTerminal = "terminal"
	ClientEditor   = "editor"
	ClientAgent    = "agent"
)

type decisionPayload struct {
	Decision
	Version int `json:"v"`
}

// decided is a decision with the size of its entry.
type decided struct {
	Decision
	size int64
}

// Decided journals a decision, before it is carried out: one that then does not happen
// does not stand, since no change is as it says.
func (w *Workspace) Decided(ctx context.Context, d Decision) (id string, err error) {
	if d.Session == "" || d.What == "" {
		return "", errors.New("a decision names its session and what it is")
	}
	if d.ID == "" {
		d.ID = ulid.Make().String()
	}
	return d.ID, w.append(ctx, TypeDecision, func(Secrets) (any, error) {
		return decisionPayload{d, decisionVersion}, nil
	})
}

// Decisions are those within reach, oldest first, as they were read last.
func (w *Workspace) Decisions() []Decision {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Decision
	for _, d := range w.decided {
		if w.reaches(d.Time) {
			out = append(out, d.Decision)
		}
	}
	return out[max(0, len(out)-ReachDecisions):]
}

// Read takes in what other processes have written.
func (w *Workspace) Read() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.readLocked()
}

func (w *Workspace) reaches(at time.Time) bool { return w.now().Sub(at) <= reachTime }

// takeDecisionLocked takes in a decision.
func (w *Workspace) takeDecisionLocked(e Entry) {
	p := decisionPayload{}
	if json.Unmarshal(e.Payload, &p) != nil || p.Version != decisionVersion {
		return
	}
	p.Time = e.Time
	w.decided = append(w.decided, decided{p.Decision, int64(len(bytes.TrimSpace(e.Payload))) + lineHead})
}

// beyond notes which decisions are out of reach, and answers their size.
func (w *Workspace) beyond(gone map[string]bool) (stale int64) {
	for i, d := range w.decided {
		if len(w.decided)-i > ReachDecisions || !w.reaches(d.Time) {
			gone[d.ID] = true
			stale += d.size
		}
	}
	return stale
}
