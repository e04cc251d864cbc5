package tools

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// meant makes of the values of arguments what their schema leaves one reading for: nothing at all, or a value of the
// wanted type in quotation marks. What is not clear stays as it is, for the schema to refuse.
func (c checker) meant(values map[string]any, arguments string) {
	for name, value := range values {
		wanted := c.arguments()[name]
		if wanted == nil {
			continue
		}
		switch value = unquoted(value, wanted); name {
		case wholeText:
			value = asText(value, values["path"], arguments)
		case "path", "to":
			value = barePath(value)
		}
		values[name] = value
		if isNothing(value, wanted) && !slices.Contains(c.required, name) {
			delete(values, name)
		}
	}
}

// isNothing: null, and the empty text where no text can stand.
func isNothing(value any, wanted *argument) bool {
	return value == nil || value == "" && wanted.Validate(value) != nil
}

// unquoted is the value that a text holds, where no text is wanted and it is exactly that.
func unquoted(value any, wanted *argument) any {
	text, ok := value.(string)
	if !ok || wanted.Type == "string" {
		return value
	}
	if word := strings.ToLower(strings.TrimSpace(text)); word == "true" || word == "false" { // Python's have capitals
		text = word
	}
	var held any
	if json.Unmarshal([]byte(text), &held) != nil {
		return value
	}
	if _, again := held.(string); again {
		return value
	}
	return held
}

// wholeText is the argument that holds the text of a whole file.
const wholeText = "content"

// asJSON are the files whose text can be given as the value that it is.
var asJSON = text.Pattern(`(?i)\.(json|jsonc|json5|geojson|topojson|ipynb|webmanifest|har)$`)

// asText is the text of a file of JSON that was given as a value: with its names in their order, and numbers as they
// were written.
func asText(value, path any, arguments string) any {
	name, _ := path.(string)
	if _, ok := value.(string); ok || value == nil || !asJSON().MatchString(strings.TrimSpace(name)) {
		return value
	}
	var raw map[string]json.RawMessage
	var text bytes.Buffer
	if json.Unmarshal([]byte(arguments), &raw) != nil || json.Indent(&text, raw[wholeText], "", "  ") != nil {
		return value
	}
	return text.String() + "\n"
}

// quotes are those that may stand around a path.
var quotes = []string{`""`, "''", "``", "“”", "„“", "‘’", "«»", "<>"}

// barePath is a path without what was copied along with it: quotation marks and line ends around it, and the form of a URI.
func barePath(value any) any {
	path, ok := value.(string)
	if !ok {
		return value
	}
	path = strings.Trim(path, "\r\n")
	for _, pair := range quotes {
		open, size := utf8.DecodeRuneInString(pair)
		if inner, found := strings.CutPrefix(path, string(open)); found && strings.HasSuffix(inner, pair[size:]) {
			path = strings.Trim(strings.TrimSuffix(inner, pair[size:]), "\r\n")
			break
		}
	}
	uri := fileURI().FindStringSubmatch(path)
	if uri == nil {
		return path
	}
	return escape().ReplaceAllStringFunc(uri[1], func(e string) string {
		b, _ := hex.DecodeString(e[1:])
		return string(b)
	})
}

var (
	fileURI = text.Pattern(`^(?i:file:(?://localhost)?)(?://)?(/?[^/].*)$`) // two slashes and no host: one too few
	escape  = text.Pattern(`%[0-9a-fA-F]{2}`)
)
