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
	API string `json:"api,omitempty" jsonschema:"enum=openai,enum=azure" doc:"the shape of the addresses: openai, or azure with its deployments"`
	// APIVersion is the api-version that Azure wants.
	APIVersion string `json:"api_version,omitempty" doc:"the api-version that Azure wants"`
	// Headers are further headers of each request.
	Headers map[string]string `json:"headers,omitempty" doc:"further headers of each request"`
	// MaxTokensField is what the limit of a reply is called: "max_tokens", "max_completion_tokens", or "none" to send none.
	MaxTokensField string `json:"max_tokens_field,omitempty" jsonschema:"enum=max_tokens,enum=max_completion_tokens,enum=none" doc:"what the limit of a reply is called"`
	// MaxOutput is the largest limit of a reply that the server takes, in tokens.
	MaxOutput int `json:"max_output,omitempty" jsonschema:"minimum=0,maximum=100000000" doc:"the largest limit of a reply that the server takes, in tokens"`
	// Temperature tells whether a temperature is sent.
	Temperature *bool `json:"temperature,omitempty" doc:"whether a temperature is sent"`
	// SystemRole is the role of the system prompt: "system", "developer", or "user" for models that know none.
	SystemRole string `json:"system_role,omitempty" jsonschema:"enum=system,enum=developer,enum=user" doc:"the role of the system prompt"`
	// ToolOnlyContent is the content of a reply that only calls tools: "empty" (""), "null", or "omit".
	ToolOnlyContent string `json:"tool_only_content,omitempty" jsonschema:"enum=empty,enum=null,enum=omit" doc:"the content of a reply that only calls tools: \"\", null, or none"`
	// Stream tells whether replies are streamed.
	Stream *bool `json:"stream,omitempty" doc:"whether replies are streamed"`
	// StreamUsage tells whether the count of tokens is asked for with a stream.
	StreamUsage *bool `json:"stream_usage,omitempty" doc:"whether the count of tokens is asked for with a stream"`
	// ParallelToolCalls is sent as parallel_tool_calls; nil: nothing is sent.
	ParallelToolCalls *bool `json:"parallel_tool_calls,omitempty" doc:"sent as parallel_tool_calls; not set: not sent"`
	// EchoReasoning is the name under which a model's thoughts go back to it: "off", "reasoning_content", "reasoning".
	EchoReasoning string `json:"echo_reasoning,omitempty" jsonschema:"enum=off,enum=reasoning_content,enum=reasoning" doc:"under which name a model's thoughts go back to it"`
	// EchoScope says which thoughts go back: "loop" (those since the person's last text) or "all" (also those of older
	// replies that called tools).
	EchoScope string `json:"echo_scope,omitempty" jsonschema:"enum=loop,enum=all" doc:"which thoughts go back: since your last prompt, or all"`
	// StrictTurns: no text of the user behind a tool's result, no two texts of the user in a row.
	StrictTurns *bool `json:"strict_turns,omitempty" doc:"no message of the user stands behind a tool's result"`
	// ToolIDs says which ids of calls the server takes: "any", or "alnum9", nine letters and digits.
	ToolIDs string `json:"tool_ids,omitempty" jsonschema:"enum=any,enum=alnum9" doc:"which ids of calls the server takes: any, or nine letters and digits"`
	// ToolNames: the result of a tool names the tool.
	ToolNames *bool `json:"tool_names,omitempty" doc:"the result of a tool names the tool"`
	// TextToolCalls says what becomes of calls that the model wrote as text: "promote", "reprompt", "off".
	TextToolCalls string `json:"text_tool_calls,omitempty" jsonschema:"enum=promote,enum=reprompt,enum=off" doc:"calls that the model wrote as text: made, asked for again, or left as text"`
	// Thinking says where thoughts stand in the text: "tags" (between <think> and </think>), "open" (from the very start
	// to </think>, because the server's template has opened them), or "off" (tags are text like any other).
	Thinking string `json:"thinking,omitempty" jsonschema:"enum=tags,enum=open,enum=off" doc:"where thoughts stand in the text: between tags, open from the start, or nowhere"`
	// OmitFields are fields of a request, a message or a call that the server refuses.
	OmitFields []string `json:"omit_fields,omitempty" doc:"fields that the server refuses"`
	// ExtraBody are further fields of each request; null takes a field out.
	ExtraBody map[string]any `json:"extra_body,omitempty" doc:"further fields of each request; null takes one out"`
	// ContextWindow is how many tokens the server says that fit into its window; 0: it did not say.
	ContextWindow int `json:"context_window,omitempty" jsonschema:"minimum=0,maximum=100000000" doc:"as model.context_window"`
	// RequestLimit is how many tokens a request may have, as the server said when it refused one; 0: it did not.
	RequestLimit int `json:"request_limit,omitempty" jsonschema:"minimum=0,maximum=100000000" doc:"how many tokens a request may have, where that is less than the window that the server tells; learnt from refusals"`
	// FirstByteTimeout is how long the first piece of a reply is waited for.
	FirstByteTimeout Duration `json:"first_byte_timeout,omitempty" span:"1s to 24h" doc:"how long the first byte of a reply is waited for"`
	// IdleTimeout is how long a reply that has begun may be silent.
	IdleTimeout Duration `json:"idle_timeout,omitempty" span:"1s to 24h" doc:"how long a stream may be silent"`
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
		var allowed []string
		for rule := range strings.SplitSeq(field.Tag.Get("jsonschema"), ",") {
			if word, ok := strings.CutPrefix(rule, "enum="); ok {
				allowed = append(allowed, word)
			}
		}
		if value := fmt.Sprint(v.Field(i)); len(allowed) > 0 && value != "" && !slices.Contains(allowed, value) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			return fmt.Errorf("model.profile.%s is %q; it can be one of %q", name, value, allowed)
		}
	}
	switch {
	case p.MaxOutput < 0 || p.ContextWindow < 0 || p.RequestLimit < 0:
		return fmt.Errorf("model.profile.max_output, model.profile.context_window and model.profile.request_limit are numbers of tokens; leave them out if they are not known")
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
