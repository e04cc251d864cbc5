package openaitest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Script is what a server plays.
type Script struct {
	Replies      []Reply  `json:"-"`
	Loop         bool     `json:"loop"` // start again at the end; else 500 "the script is over"
	Key          string   `json:"key"`  // demanded as Bearer token or api-key header, if set
	Models       []string `json:"models"`
	ModelsStatus int      `json:"models_status"`
	ModelsBody   string   `json:"models_body"`
	Fields       []string `json:"fields"`  // further fields that a request, a message or a call may have
	Forgive      []string `json:"forgive"` // problems that hold one of these texts are none
}

// Reply is one answer of the model.
type Reply struct {
	When      Texts  `json:"when"` // all stand in the messages behind the model's last one
	Text      string `json:"text"`
	Reasoning string `json:"reasoning"`
	Calls     []Call `json:"calls"`
	Finish    string `json:"finish"` // "": tool_calls or stop
	Usage     *Usage `json:"usage"`

	Fault string `json:"fault"` // one of Faults

	Status int               `json:"status"` // a plain HTTP answer instead of all above
	Header map[string]string `json:"header"` // also of a usual answer
	Body   string            `json:"body"`
	Frames []string          `json:"frames"` // raw text of an event stream, a flush after each, instead of all above

	Chunk  int    `json:"chunk"` // bytes of text in a delta; 0: words
	Want   Texts  `json:"want"`  // the request's body holds them, else 500 and a problem
	Hold   bool   `json:"hold"`  // wait for Release before the first byte
	HoldAt string `json:"hold_at"`
}

// The values of Reply.HoldAt.
const (
	HoldStart  = "start"
	HoldMiddle = "middle"
)

// Call is one tool call of a reply.
type Call struct {
	ID        string          `json:"id"` // "": the server makes one
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // an object, or a string that is sent as it is; nil: {}
	Extra     json.RawMessage `json:"extra"`     // an object: further fields of the call, which must come back
}

// Usage is counted in tokens; Input includes Cached.
type Usage struct {
	Input  int `json:"input"`
	Cached int `json:"cached"`
	Output int `json:"output"`
}

// Texts is one text or a list of them.
type Texts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = Texts{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// ArgumentText is the text of a call's arguments as the model wrote it.
func (c Call) ArgumentText() string {
	var verbatim string
	switch {
	case len(c.Arguments) == 0:
		return "{}"
	case json.Unmarshal(c.Arguments, &verbatim) == nil:
		return verbatim
	}
	return string(c.Arguments)
}

// check says what is wrong with a script.
func (s Script) check() error {
	for i, r := range s.Replies {
		if err := r.check(); err != nil {
			return fmt.Errorf("reply %d: %w", i+1, err)
		}
	}
	return nil
}

func (r Reply) check() error {
	if _, ok := faultNamed(r.Fault); !ok {
		return unknownFault(r.Fault)
	}
	for i, c := range r.Calls {
		if err := c.check(); err != nil {
			return fmt.Errorf("call %d: %w", i+1, err)
		}
	}
	plain, raw := r.Status != 0 || r.Body != "", len(r.Frames) > 0
	said := r.Text != "" || r.Reasoning != "" || len(r.Calls) > 0 || r.Finish != "" || r.Usage != nil || r.Fault != ""
	switch {
	case plain && raw || said && (plain || raw):
		return fmt.Errorf("it has several kinds of answer: allowed is one of text, reasoning, calls, finish, usage and fault; status and body; frames")
	case r.Status != 0 && (r.Status < 200 || r.Status > 599):
		return fmt.Errorf("status %d is no HTTP status of an answer: allowed are 200 to 599", r.Status)
	case !slices.Contains([]string{"", HoldStart, HoldMiddle}, r.HoldAt):
		return fmt.Errorf("hold_at is %q: allowed are %q and %q", r.HoldAt, HoldStart, HoldMiddle)
	case r.Chunk < 0:
		return fmt.Errorf("chunk is %d: allowed are numbers of bytes from 1 on", r.Chunk)
	}
	return nil
}

func (c Call) check() error {
	if c.Name == "" {
		return fmt.Errorf("it has no name")
	}
	if len(c.Arguments) > 0 && !strings.HasPrefix(string(c.Arguments), `"`) && decodeObject(c.Arguments) == nil {
		return fmt.Errorf("arguments of %s: allowed are an object, or a string that is sent as it is", c.Name)
	}
	if len(c.Extra) > 0 && decodeObject(c.Extra) == nil {
		return fmt.Errorf("extra of %s: allowed is an object with further fields of the call", c.Name)
	}
	return nil
}

func unknownFault(name string) error {
	var names []string
	for _, f := range Faults() {
		names = append(names, f.Name)
	}
	return fmt.Errorf("there is no fault %q: allowed are %s", name, strings.Join(names, ", "))
}
