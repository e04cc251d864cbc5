package openaitest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What the strictest servers take.
const (
	maxTools       = 128
	maxDescription = 1024 // characters (Azure)
	maxID          = 40   // of a call (OpenAI)
)

var (
	toolName     = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	propertyName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)
	callID       = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`) // Anthropic
)

// tools looks at the tools that are offered.
func (j *judge) tools(a *ask) {
	if !a.has("tools") {
		return
	}
	list, _ := a.json["tools"].([]any)
	if len(list) == 0 || len(list) > maxTools {
		j.say("tools holds %d: allowed are 1 to %d, or no such field", len(list), maxTools)
	}
	names := map[string]bool{}
	for i, t := range list {
		where := fmt.Sprintf("tools[%d]", i)
		tool, _ := t.(object)
		function, _ := tool["function"].(object)
		name, _ := function["name"].(string)
		if tool["type"] != "function" || function == nil {
			j.say("%s is no {type: function, function: {…}}", where)
			continue
		}
		j.only(where, tool, "type", "function")
		j.only(where+".function", function, "name", "description", "parameters", "strict")
		if !toolName.MatchString(name) || names[name] {
			j.say("%s: the name %q stands twice or is none: allowed are 1 to 64 letters, digits, _ and -", where, name)
		}
		names[name] = true
		if text, ok := function["description"].(string); !ok || text == "" || len([]rune(text)) > maxDescription {
			j.say("%s: the description must be a text of 1 to %d characters", where, maxDescription)
		}
		j.parameters(where+".function.parameters", function)
	}
}

// parameters looks at the schema of a tool's arguments.
func (j *judge) parameters(where string, function object) {
	schema, _ := function["parameters"].(object)
	if _, has := schema["properties"].(object); !has || schema["type"] != "object" {
		j.say(`%s must be an object with type "object" and properties, {} for none`, where)
		return
	}
	j.schema(where, schema)
	if function["strict"] != true {
		return
	}
	properties, _ := schema["properties"].(object)
	required, _ := schema["required"].([]any)
	if schema["additionalProperties"] != false || len(required) != len(properties) {
		j.say("%s is strict: it must have additionalProperties false and require all properties", where)
	}
}

// schema looks at a schema and those within it.
func (j *judge) schema(where string, schema object) {
	for _, field := range []string{"$ref", "$defs", "definitions"} {
		if _, has := schema[field]; has {
			j.say("%s has %s, which many servers do not resolve", where, field)
		}
	}
	switch kind := schema["type"].(type) {
	case []any:
		j.say("%s: type is a list, which many servers do not take", where)
	case string:
		if items, _ := schema["items"].(object); kind == "array" && items == nil {
			j.say("%s is an array without items", where)
		}
	}
	if enum, has := schema["enum"].([]any); has && len(enum) == 0 {
		j.say("%s has an empty enum", where)
	}
	properties, _ := schema["properties"].(object)
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if text, _ := name.(string); properties[text] == nil {
			j.say("%s requires %v, which it does not have", where, name)
		}
	}
	for _, name := range sortedFields(properties) {
		if !propertyName.MatchString(name) {
			j.say("%s: the name %q: allowed are 1 to 64 letters, digits, _, . and -", where, name)
		}
		j.subschema(where+"."+name, properties[name])
	}
	if items, has := schema["items"]; has {
		j.subschema(where+"[]", items)
	}
	for _, field := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := schema[field].([]any)
		for i, s := range list {
			j.subschema(fmt.Sprintf("%s.%s[%d]", where, field, i), s)
		}
	}
}

func (j *judge) subschema(where string, v any) {
	if schema, ok := v.(object); ok {
		j.schema(where, schema)
		return
	}
	j.say("%s is no schema", where)
}

// only notes fields that are not among those known.
func (j *judge) only(where string, o object, known ...string) {
	for _, field := range sortedFields(o) {
		if !slices.Contains(known, field) && !slices.Contains(j.further, field) {
			j.say("%s has a field %s: known are %s", where, field, strings.Join(known, ", "))
		}
	}
}
