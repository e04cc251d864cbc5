package openai

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Profile says how a server differs from what is usual. What is not set is taken from a layer below: what refusals
// taught, the table of servers, the defaults.
type Profile struct {
	// API is the shape of the addresses: "openai", or "azure" with its deployments.
	API string `json:"api,omitempty" yaml:"api,omitempty" words:"openai azure"`
	// APIVersion is the api-version that Azure wants.
	APIVersion string `json:"api_version,omitempty" yaml:"api_version,omitempty"`
	// Headers are further headers of each request.
	Headers map[string]string `json:"headers,omitempty" yaml:"headers,omitempty"`
	// MaxTokensField is what the limit of a reply is called: "max_tokens", "max_completion_tokens", or "none" to send none.
	MaxTokensField string `json:"max_tokens_field,omitempty" yaml:"max_tokens_field,omitempty" words:"max_tokens max_completion_tokens none"`
	// MaxOutput is the largest limit of a reply that the server takes, in tokens.
	MaxOutput int `json:"max_output,omitempty" yaml:"max_output,omitempty"`
	// Temperature tells whether a temperature is sent.
	Temperature *bool `json:"temperature,omitempty" yaml:"temperature,omitempty"`
	// SystemRole is the role of the system prompt: "system", "developer", or "user" for models that know none.
	SystemRole string `json:"system_role,omitempty" yaml:"system_role,omitempty" words:"system developer user"`
	// ToolOnlyContent is the content of a reply that only calls tools: "empty" (""), "null", or "omit".
	ToolOnlyContent string `json:"tool_only_content,omitempty" yaml:"tool_only_content,omitempty" words:"empty null omit"`
	// Stream tells whether replies are streamed.
	Stream *bool `json:"stream,omitempty" yaml:"stream,omitempty"`
	// StreamUsage tells whether the count of tokens is asked for with a stream.
	StreamUsage *bool `json:"stream_usage,omitempty" yaml:"stream_usage,omitempty"`
	// ParallelToolCalls is sent as parallel_tool_calls; nil: nothing is sent.
	ParallelToolCalls *bool `json:"parallel_tool_calls,omitempty" yaml:"parallel_tool_calls,omitempty"`
	// EchoReasoning is the name under which a model's thoughts go back to it: "off", "reasoning_content", "reasoning".
	EchoReasoning string `json:"echo_reasoning,omitempty" yaml:"echo_reasoning,omitempty" words:"off reasoning_content reasoning"`
	// EchoScope says which thoughts go back: "loop" (those since the person's last text) or "all" (also those of older
	// replies that called tools).
	EchoScope string `json:"echo_scope,omitempty" yaml:"echo_scope,omitempty" words:"loop all"`
	// StrictTurns: no text of the user behind a tool's result, no two texts of the user in a row.
	StrictTurns *bool `json:"strict_turns,omitempty" yaml:"strict_turns,omitempty"`
	// ToolIDs says which ids of calls the server takes: "any", or "alnum9", nine letters and digits.
	ToolIDs string `json:"tool_ids,omitempty" yaml:"tool_ids,omitempty" words:"any alnum9"`
	// TextToolCalls says what becomes of calls that the model wrote as text: "promote", "reprompt", "off".
	TextToolCalls string `json:"text_tool_calls,omitempty" yaml:"text_tool_calls,omitempty" words:"promote reprompt off"`
	// Thinking says where thoughts stand in the text: "tags" (between <think> and </think>), "open" (from the very start
	// to </think>, because the server's template has opened them), or "off" (tags are text like any other).
	Thinking string `json:"thinking,omitempty" yaml:"thinking,omitempty" words:"tags open off"`
	// OmitFields are fields of a request, a message or a call that the server refuses.
	OmitFields []string `json:"omit_fields,omitempty" yaml:"omit_fields,omitempty"`
	// ExtraBody are further fields of each request; null takes a field out.
	ExtraBody map[string]any `json:"extra_body,omitempty" yaml:"extra_body,omitempty"`
	// ContextWindow is how many tokens a request may have, as the server said; 0: it did not.
	ContextWindow int `json:"context_window,omitempty" yaml:"context_window,omitempty"`
	// FirstByteTimeout is how long the first piece of a reply is waited for.
	FirstByteTimeout Duration `json:"first_byte_timeout,omitempty" yaml:"first_byte_timeout,omitempty"`
	// IdleTimeout is how long a reply that has begun may be silent.
	IdleTimeout Duration `json:"idle_timeout,omitempty" yaml:"idle_timeout,omitempty"`
}

// The words of a profile.
const (
	apiOpenAI = "openai"
	apiAzure  = "azure"

	fieldMaxTokens     = "max_tokens"
	fieldMaxCompletion = "max_completion_tokens"
	fieldNone          = "none"

	roleDeveloper = "developer"

	contentEmpty = "empty"
	contentNull  = "null"
	contentOmit  = "omit"

	echoOff       = "off"
	echoContent   = "reasoning_content"
	echoReasoning = "reasoning"
	echoLoop      = "loop"
	echoAll       = "all"

	idsAny    = "any"
	idsAlnum9 = "alnum9"

	textPromote  = "promote"
	textReprompt = "reprompt"
	textOff      = "off"

	thinkTags = "tags"
	thinkOpen = "open"
	thinkOff  = "off"
)

// over lays p over base: what p sets wins, of maps key by key; fields to omit are added up.
func (p Profile) over(base Profile) Profile {
	over, below := reflect.ValueOf(&p).Elem(), reflect.ValueOf(base)
	headers, extra, omit := p.Headers, p.ExtraBody, p.OmitFields
	for i := range over.NumField() {
		if over.Field(i).IsZero() {
			over.Field(i).Set(below.Field(i))
		}
	}
	p.Headers, p.ExtraBody = layered(headers, base.Headers), layered(extra, base.ExtraBody)
	p.OmitFields = union(omit, base.OmitFields)
	return p
}

func layered[V any](over, base map[string]V) map[string]V {
	if len(over)+len(base) == 0 {
		return nil
	}
	both := make(map[string]V, len(over)+len(base))
	maps.Copy(both, base)
	maps.Copy(both, over)
	return both
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	if len(all) == 0 {
		return nil
	}
	return slices.Compact(all)
}

func on(flag *bool) bool { return flag != nil && *flag }

// check says which field has a value that it cannot have.
func (p Profile) check() error {
	v := reflect.ValueOf(p)
	for i := range v.NumField() {
		field := v.Type().Field(i)
		allowed := strings.Fields(field.Tag.Get("words"))
		if value := fmt.Sprint(v.Field(i)); len(allowed) > 0 && value != "" && !slices.Contains(allowed, value) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			return fmt.Errorf("model.profile.%s is %q; it can be one of %q", name, value, allowed)
		}
	}
	switch {
	case p.MaxOutput < 0 || p.ContextWindow < 0:
		return fmt.Errorf("model.profile.max_output and model.profile.context_window are numbers of tokens; leave them out if they are not known")
	case p.FirstByteTimeout < 0 || p.IdleTimeout < 0:
		return fmt.Errorf("model.profile.first_byte_timeout and model.profile.idle_timeout are times like 90s or 10m; leave them out for the defaults")
	}
	return nil
}

// Duration is a time span that is written "90s" or "10m" in JSON and YAML.
type Duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no time span; write it like 90s or 10m", text)
	}
	*d = Duration(parsed)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalJSON implements json.Unmarshaler. It also reads a number of nanoseconds, as encoding/json writes a
// time.Duration.
func (d *Duration) UnmarshalJSON(data []byte) error {
	if n, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		*d = Duration(n)
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("%s is no time span; write it like \"90s\" or \"10m\"", data)
	}
	return d.UnmarshalText([]byte(text))
}
