package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode reads arguments into args, a pointer to a struct, or says what is wrong with them. No arguments at all stand
// for an empty object: some models send none where none are needed.
func (c checker) decode(arguments string, args any) (hint string) {
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	values, problem := parse(arguments)
	if problem != "" {
		return problem + "; " + c.again()
	}
	c.meant(values, arguments)
	if problem := c.explain(values); problem != "" {
		return problem + "; " + c.again()
	}
	if problem := into(values, args); problem != "" {
		return problem + "; " + c.again()
	}
	return ""
}

func (c checker) again() string { return "correct this and call " + c.tool + " again" }

// parse reads one JSON object and refuses what the standard decoder would mend or drop in silence: half surrogates,
// bytes that are no UTF-8, a name that comes twice, and NUL, which no text file may hold.
func parse(arguments string) (object map[string]any, problem string) {
	if !utf8.ValidString(arguments) {
		return nil, "the arguments are not valid UTF-8"
	}
	var values any
	if err := json.Unmarshal([]byte(arguments), &values); err != nil {
		return nil, malformed(arguments, err)
	}
	object, ok := values.(map[string]any)
	if !ok {
		return nil, fmt.Sprintf("the arguments are %s; send one JSON object with the names of the arguments", kindOf(values))
	}
	if half := halfSurrogate(arguments); half != "" {
		return nil, "the arguments hold " + half + ", half of a character; write the character itself"
	}
	if twice := repeated(arguments); twice != "" {
		return nil, "the argument " + quote(twice) + " comes twice"
	}
	for name, value := range object {
		if s, ok := value.(string); ok && strings.ContainsRune(s, 0) {
			return nil, "the argument " + quote(name) + " holds a NUL character, which no text file may"
		}
	}
	return object, ""
}

// malformed says where JSON breaks.
func malformed(arguments string, err error) string {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typ): // of all values, only a number can be wrong here
		return "the arguments hold a number that is too large"
	case !errors.As(err, &syntax):
		return "the arguments are no JSON object"
	case int(syntax.Offset) >= len(arguments) && strings.Contains(syntax.Error(), "unexpected end"):
		return fmt.Sprintf("the arguments end in the middle, after %d bytes; send the whole object, a long text in several calls", len(arguments))
	}
	at := max(0, min(int(syntax.Offset)-1, len(arguments)))
	return fmt.Sprintf("the arguments are no JSON: %v at byte %d, behind %s", syntax, at, quote(tail(arguments[:at])))
}

// tail is the end of a text, short enough to show.
func tail(s string) string {
	const most = 20
	if len(s) <= most {
		return s
	}
	s = s[len(s)-most:]
	for s != "" && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return "…" + s
}

// halfSurrogate finds an escape like \ud800 that has no other half. The text is valid JSON.
func halfSurrogate(text string) string {
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return ""
		}
		text = text[i:]
		first, ok := escaped(text)
		if !ok {
			text = text[2:]
			continue
		}
		second, _ := escaped(text[6:])
		switch {
		case !utf16.IsSurrogate(first):
			text = text[6:]
		case utf16.DecodeRune(first, second) == utf8.RuneError:
			return text[:6]
		default:
			text = text[12:]
		}
	}
}

// escaped reads an escape like \u00e9 at the start of a text.
func escaped(text string) (rune, bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	r, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(r), err == nil
}

// repeated finds a name that an object has twice; the decoder would take the last one. The text is a valid object.
func repeated(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	_, _ = d.Token() // the brace
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return ""
		}
		if seen[name] {
			return name
		}
		seen[name] = true
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return ""
		}
	}
	return ""
}

// into fills args with values that the schema has passed. They are written as JSON anew: the schema takes 12.0 for an
// integer, the decoder does not.
func into(values, args any) (problem string) {
	raw, err := json.Marshal(values)
	if err != nil {
		return "the arguments cannot be read"
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err = d.Decode(args)
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typ):
		return "the argument " + quote(typ.Field) + " is too large"
	case err != nil:
		return "the arguments cannot be read"
	}
	return ""
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "a list"
	}
	return "an object"
}
