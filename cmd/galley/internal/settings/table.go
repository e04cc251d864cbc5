package settings

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/galley-ls/galley/agent/openai"
)

// Kind is what a value is.
type Kind int

// The kinds of values, with the Go type that Row.Value has for each. Optional ones are nil where they are not set.
const (
	Nothing  Kind = iota
	Text          // string
	Word          // string, one of a few
	Path          // string: a file; ~/ is the home directory, else relative to where it is said
	Flag          // bool
	Number        // int
	Decimal       // float64
	Duration      // time.Duration, written 90s or 2m
	Texts         // []string
	Headers       // map[string]string, whose values are secret
	Object        // map[string]any
)

// Row is one setting, as its field in Settings and the tags there describe it.
type Row struct {
	Name  string // group.key
	Kind  Kind
	Words []string // that a Word may be
	Doc   string   // one sentence, for the page, the schema and completions

	schema   *jsonschema.Schema
	span     string       // "1s to 1h": the bounds of a Duration
	trust    string       // what an untrusted workspace may do: see guards
	index    []int        // of the field in Settings
	typ      reflect.Type // of the value: what an optional field points to
	optional bool         // nothing is nil, and not the zero value
	byFile   bool         // a Word, or a ByFile of such words
}

const profileGroup = "model.profile"

// Table are all settings, in the order in which they are shown: that of the fields of Settings.
func Table() []Row { return slices.Clone(built().rows) }

// Groups are the groups of the table with all that stands in them, in the table's order: "model" and "model.profile".
func Groups() []string { return slices.Clone(built().groups) }

// Names are the names of all settings, in the table's order.
func Names() []string {
	var out []string
	for _, r := range built().rows {
		out = append(out, r.Name)
	}
	return out
}

// Find looks a setting up by its name.
func Find(name string) (Row, bool) {
	rows := built().rows
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Row{}, false
	}
	return rows[i], true
}

// Schema is the JSON schema of a file of settings.
func Schema() []byte {
	data, err := json.MarshalIndent(built().schema, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("the settings make no JSON schema: %v", err))
	}
	return append(data, '\n')
}

// description is what the tags of Settings say.
type description struct {
	rows   []Row
	groups []string
	schema *jsonschema.Schema
}

var built = sync.OnceValue(func() description {
	reflector := jsonschema.Reflector{
		Anonymous: true, DoNotReference: true, ExpandedStruct: true, RequiredFromJSONSchemaTags: true,
		Mapper: textSchema,
	}
	d := description{schema: reflector.Reflect(&Settings{})}
	d.schema.Title = "galley settings"
	d.schema.Description = "Settings of galley, for config.yaml and config.json and below \"galley\" in an editor's settings."
	d.add(reflect.TypeFor[Settings](), d.schema, Row{})
	return d
})

// textSchema is the schema of times, which the library takes for numbers, and of words by file, see add.
func textSchema(t reflect.Type) *jsonschema.Schema {
	if t == reflect.TypeFor[ByFile]() {
		return &jsonschema.Schema{Type: "string"}
	}
	if t == reflect.TypeFor[time.Duration]() || t == reflect.TypeFor[openai.Duration]() {
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`}
	}
	return nil
}

// add takes over the fields of a group, with what stands below it.
func (d *description) add(group reflect.Type, schema *jsonschema.Schema, above Row) {
	for i := range group.NumField() {
		f := group.Field(i)
		key, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		s, _ := schema.Properties.Get(key)
		s.Description = f.Tag.Get("doc")
		r := Row{
			Name: strings.TrimPrefix(above.Name+"."+key, "."), Doc: s.Description, schema: s, span: f.Tag.Get("span"), trust: above.trust,
			index: append(slices.Clone(above.index), i), typ: f.Type, optional: option != "" || f.Type.Kind() == reflect.Pointer,
		}
		if trust, ok := f.Tag.Lookup("trust"); ok {
			r.trust = trust
		}
		if f.Type.Kind() == reflect.Struct {
			d.groups = append(d.groups, r.Name)
			d.add(f.Type, s, r)
			continue
		}
		if f.Type.Kind() == reflect.Pointer {
			r.typ = f.Type.Elem()
		}
		for _, word := range s.Enum {
			r.Words = append(r.Words, fmt.Sprint(word))
		}
		if r.byFile = f.Type == reflect.TypeFor[ByFile](); r.byFile {
			word := *s
			*s = jsonschema.Schema{Description: s.Description, OneOf: []*jsonschema.Schema{
				{Type: word.Type, Enum: word.Enum}, {Type: "object", AdditionalProperties: &jsonschema.Schema{Type: word.Type, Enum: word.Enum}},
			}}
		}
		r.Kind = kindOf(r, f.Tag.Get("file") != "")
		if v := r.Default(); v != nil && v != "" {
			s.Default = r.Masked(v)
		}
		d.rows = append(d.rows, r)
	}
}

func kindOf(r Row, file bool) Kind {
	switch {
	case len(r.Words) > 0:
		return Word
	case file:
		return Path
	case r.span != "":
		return Duration
	case r.typ == reflect.TypeFor[map[string]string]():
		return Headers
	}
	return map[reflect.Kind]Kind{
		reflect.String: Text, reflect.Bool: Flag, reflect.Int: Number, reflect.Float64: Decimal, reflect.Slice: Texts, reflect.Map: Object,
	}[r.typ.Kind()]
}

// Value is what a setting is, nil if it is not set at all.
func (r Row) Value(s Settings) any {
	v := reflect.ValueOf(s).FieldByIndex(r.index)
	if r.optional && v.IsZero() {
		return nil
	}
	v = reflect.Indirect(v)
	if r.Kind == Duration {
		return time.Duration(v.Int())
	}
	if word := v.Interface(); r.byFile && v.Len() == 1 && word.(ByFile)[DefaultFile] != "" {
		return word.(ByFile)[DefaultFile]
	}
	return v.Interface()
}

// set gives a setting a value of its kind.
func (r Row) set(s *Settings, v any) {
	if word, ok := v.(string); ok && r.byFile {
		v = ByFile{DefaultFile: word}
	}
	field, value := reflect.ValueOf(s).Elem().FieldByIndex(r.index), reflect.New(r.typ)
	value.Elem().Set(reflect.ValueOf(v).Convert(r.typ))
	if field.Kind() != reflect.Pointer {
		value = value.Elem()
	}
	field.Set(value)
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
		words := "`" + strings.Join(r.Words, "`, `") + "`"
		if r.byFile {
			words += ", or globs with one each"
		}
		return words
	case Flag:
		return "`true`, `false`"
	case Number, Decimal, Duration:
		return r.bounds()
	}
	return map[Kind]string{Text: "text", Path: "file", Texts: "list of texts", Headers: "names and texts", Object: "object"}[r.Kind]
}

// bounds are those of a number or a time: "1 to 26".
func (r Row) bounds() string {
	if r.Kind == Duration {
		return r.span
	}
	return fmt.Sprintf("%s to %s", r.schema.Minimum, r.schema.Maximum)
}

// within reports whether a number, or a time, is inside the bounds.
func (r Row) within(v float64) bool {
	low, high, _ := strings.Cut(r.bounds(), " to ")
	return v >= r.bound(low) && v <= r.bound(high)
}

func (r Row) bound(text string) float64 {
	if r.Kind == Duration {
		d, _ := time.ParseDuration(text)
		return float64(d)
	}
	f, _ := json.Number(text).Float64()
	return f
}

// planned are the names, of settings, of groups and of words behind a setting, that the design has and this version does
// nothing with.
func planned() []string {
	return []string{
		"memory.overview_position", "folding", "auto_summarize",
		"context_builder.strategy.sliding_window_checkpoints", "context_builder.strategy.two_layer", "context_builder.strategy.query_on_demand",
		"context_builder.strategy.zones", "context_builder.strategy.custom",
	}
}

// isPlanned reports whether a name is, or stands below, one that is planned.
func isPlanned(name string) bool {
	return slices.ContainsFunc(planned(), func(p string) bool { return name == p || strings.HasPrefix(name, p+".") })
}

// isGroup reports whether names stand below it: "model", "model.profile", "git".
func isGroup(name string) bool {
	below := func(n string) bool { return strings.HasPrefix(n, name+".") }
	return slices.ContainsFunc(Names(), below) || slices.ContainsFunc(planned(), below)
}
