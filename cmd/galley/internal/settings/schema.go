package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// Schema is the JSON schema of a file of settings, made from the table.
func Schema() []byte {
	root := &jsonschema.Schema{
		Version: jsonschema.Version, Title: "galley settings",
		Description: "Settings of galley, for config.yaml and config.json and below \"galley\" in an editor's settings.",
	}
	asObject(root)
	for _, r := range Table() {
		parent := root
		groups := strings.Split(r.Name, ".")
		for i := range groups[:len(groups)-1] {
			parent = groupSchema(parent, groups[i], strings.Join(groups[:i+1], "."))
		}
		parent.Properties.Set(r.Key(), r.schema())
	}
	data, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("the table makes no JSON schema: %v", err))
	}
	return append(data, '\n')
}

func asObject(s *jsonschema.Schema) {
	s.Type, s.Properties, s.AdditionalProperties = "object", jsonschema.NewProperties(), jsonschema.FalseSchema
}

func groupSchema(parent *jsonschema.Schema, key, name string) *jsonschema.Schema {
	if s, ok := parent.Properties.Get(key); ok {
		return s
	}
	s := &jsonschema.Schema{Description: groupDoc(name)}
	asObject(s)
	parent.Properties.Set(key, s)
	return s
}

// groupDoc says what stands in a group.
func groupDoc(name string) string {
	return map[string]string{
		"model":              "who answers",
		profileGroup:         "how the model's server differs from what is usual; most servers need nothing here",
		"agent":              "how long a run goes on, and with which words",
		"editing":            "staged edits, as the model sees them",
		"tasks":              "the stack of tasks",
		"history":            "the messages behind a closed editing session",
		"matching":           "text that stands in several places",
		"memory":             "how full the context is",
		"memory.compression": "from which share of the context window the model is told to tidy up",
		"tools":              "what the agent may do",
		"ui":                 "how an editor shows changes",
		"log":                "what is written down about the program itself",
	}[name]
}

// durationPattern is what a time looks like.
const durationPattern = `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`

func (r Row) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{Description: r.Doc}
	switch r.Kind {
	case Text, Path:
		s.Type = "string"
	case Word:
		s.Type = "string"
		for _, w := range r.Words {
			s.Enum = append(s.Enum, w)
		}
	case Flag:
		s.Type = "boolean"
	case Number, Decimal:
		s.Type = map[Kind]string{Number: "integer", Decimal: "number"}[r.Kind]
		s.Minimum, s.Maximum = json.Number(formatNumber(r.Min)), json.Number(formatNumber(r.Max))
	case Duration:
		s.Type, s.Pattern = "string", durationPattern
	case Texts:
		s.Type, s.Items = "array", &jsonschema.Schema{Type: "string"}
	case Headers:
		s.Type, s.AdditionalProperties = "object", &jsonschema.Schema{Type: "string"}
	case Object:
		s.Type = "object"
	}
	if v := r.Default(); v != nil && v != "" {
		s.Default = r.Masked(v)
	}
	return s
}

// Default is what the setting is when nobody says anything; nil, or "" for texts, if it is then not set.
func (r Row) Default() any { return r.Value(Default()) }

// Complete are the words that a value may be; nil where there is no list.
func (r Row) Complete() []string {
	if r.Kind == Flag {
		return []string{"true", "false"}
	}
	return slices.Clone(r.Words)
}

// Values says for people what the setting may be.
func (r Row) Values() string {
	switch r.Kind {
	case Word:
		return "`" + strings.Join(r.Words, "`, `") + "`"
	case Flag:
		return "`true`, `false`"
	case Number, Decimal, Duration:
		return r.bounds()
	case Texts:
		return "list of texts"
	case Headers:
		return "names and texts"
	case Object:
		return "object"
	case Path:
		return "file"
	}
	return "text"
}
