package lsptest

import "encoding/json"

// The few shapes of the protocol that an editor must understand to act on them. All else stays raw JSON.

// Position is a place as it goes over the wire: its character counts units of the negotiated encoding.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is half open.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// TextEdit is one edit of a workspace edit.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// Diagnostic is one published diagnostic.
type Diagnostic struct {
	Range    Range           `json:"range"`
	Severity int             `json:"severity"`
	Code     any             `json:"code"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
	Data     json.RawMessage `json:"data"`
}

// Command is what an action or a lens runs.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}

// Action is a code action, or a bare command in the same place.
type Action struct {
	Title   string
	Kind    string
	Command *Command
	Raw     json.RawMessage
}

// Lens is a code lens.
type Lens struct {
	Range   Range    `json:"range"`
	Command *Command `json:"command"`
}

// Hint is an inlay hint; Label is the whole text, whether it came in parts or not.
type Hint struct {
	Position Position
	Label    string
}

// ResponseError is an error answer, of either side.
type ResponseError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *ResponseError) Error() string { return e.Message }

// Message is any message of JSON-RPC.
type Message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *ResponseError  `json:"error,omitempty"`
}

// UnmarshalJSON takes a bare command and a code action alike: they differ in the type of "command".
func (a *Action) UnmarshalJSON(data []byte) error {
	var head struct {
		Title   string          `json:"title"`
		Kind    string          `json:"kind"`
		Command json.RawMessage `json:"command"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	*a = Action{Title: head.Title, Kind: head.Kind, Raw: append(json.RawMessage(nil), data...)}
	var command Command
	switch {
	case len(head.Command) == 0:
		return nil
	case head.Command[0] == '"':
		if err := json.Unmarshal(data, &command); err != nil {
			return err
		}
	default:
		if err := json.Unmarshal(head.Command, &command); err != nil {
			return err
		}
	}
	a.Command = &command
	return nil
}

// UnmarshalJSON joins the parts of a label.
func (h *Hint) UnmarshalJSON(data []byte) error {
	var raw struct {
		Position Position        `json:"position"`
		Label    json.RawMessage `json:"label"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*h = Hint{Position: raw.Position}
	if len(raw.Label) > 0 && raw.Label[0] == '"' {
		return json.Unmarshal(raw.Label, &h.Label)
	}
	var parts []struct {
		Value string `json:"value"`
	}
	if err := json.Unmarshal(raw.Label, &parts); err != nil {
		return err
	}
	for _, part := range parts {
		h.Label += part.Value
	}
	return nil
}
