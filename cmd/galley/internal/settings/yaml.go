package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// A settings file is small. The bounds keep a hostile one from taking time or stack: the parser recurses, and compares
// each key of an object with all others.
const (
	mostBytes = 64 << 10
	mostDepth = 50
)

// lineError says what is wrong in which line of a file.
type lineError struct {
	line int
	what string
}

// Error implements error.
func (e *lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.what) }

func wrongAt(line int, format string, args ...any) error {
	return &lineError{line, fmt.Sprintf(format, args...)}
}

// parseJSON reads one JSON value, which YAML has as well: so it is read with its lines.
func parseJSON(data []byte) (ast.Node, error) {
	data = bytes.TrimRight(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, new(json.RawMessage)); len(data) == 0 || !errors.As(err, &syntax) {
		return parseYAML(data)
	}
	line := 1 + bytes.Count(data[:syntax.Offset], []byte("\n"))
	switch what := syntax.Error(); {
	case what == "unexpected end of JSON input":
		return nil, wrongAt(line, "it is no JSON: it ends too early")
	case bytes.HasSuffix([]byte(what), []byte("after top-level value")):
		return nil, wrongAt(line, "there is something behind the end of the object")
	default:
		return nil, wrongAt(line, "it is no JSON: %s", what)
	}
}

// parseYAML reads one document that says what JSON could say as well. An empty one is nil.
func parseYAML(data []byte) (n ast.Node, err error) {
	defer func() { // there are texts that the library panics on; they are as wrong as others
		if p := recover(); p != nil {
			n, err = nil, wrongAt(1, "it is no YAML that can be read")
		}
	}()
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if err := shallow(data); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxError(err)
	}
	for _, d := range file.Docs {
		switch {
		case d.Body == nil:
			continue
		case d.Body.Type() == ast.DirectiveType:
			return nil, wrongAt(lineOf(d.Body), "directives are not read here; remove the line")
		case n != nil:
			return nil, wrongAt(lineOf(d.Body), "there is a second document; put everything into the first")
		}
		n = exponential(d.Body)
	}
	p := &plain{}
	if n != nil {
		ast.Walk(p, n)
	}
	return n, p.err
}

// syntaxError is what the library says, without the lines that it quotes: they may hold what nobody should see.
func syntaxError(err error) error {
	var known yaml.Error
	if !errors.As(err, &known) {
		return wrongAt(1, "it is no YAML that can be read")
	}
	what := oneLine(known.GetMessage())
	if t := known.GetToken(); t != nil && t.Type == token.InvalidType && bytes.ContainsRune([]byte(t.Origin), '\t') {
		what = "there is a tab where YAML wants blanks"
	}
	return wrongAt(lineOfToken(known.GetToken()), "%s", what)
}

func lineOf(n ast.Node) int { return lineOfToken(n.GetToken()) }

func lineOfToken(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 1
	}
	return t.Position.Line
}

// shallow refuses a text that is nested deeper than any settings, before anything recurses into it.
func shallow(data []byte) error {
	depth, marks := 0, 0
	for i, line := range bytes.Split(data, []byte("\n")) {
		marks = 0
		for j, c := range line {
			switch c {
			case '[', '{':
				if depth++; depth > mostDepth {
					return wrongAt(i+1, "it is nested too deep")
				}
			case ']', '}':
				depth = max(0, depth-1)
			case '-', '?', '&', '!', '*', ':':
				if j+1 == len(line) || line[j+1] == ' ' || c == '&' || c == '!' {
					marks++
				}
			}
		}
		if marks > mostDepth && !bytes.ContainsAny(line, "\"'#") || marks > 20*mostDepth {
			return wrongAt(i+1, "it is nested too deep")
		}
	}
	return nil
}

// plain walks a document and refuses what JSON could not say.
type plain struct{ err error }

// Visit implements ast.Visitor.
func (p *plain) Visit(n ast.Node) ast.Visitor {
	what := ""
	switch n := n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		what = "anchors, aliases and merged keys are not read here; write the value out"
	case *ast.TagNode:
		what = "tags like !!str are not read here; put text into quotes"
	case *ast.MappingKeyNode:
		what = "a name of a setting is plain text"
	case *ast.InfinityNode, *ast.NanNode:
		what = "a setting cannot be this"
	case *ast.MappingValueNode:
		n.Value = exponential(n.Value)
	case *ast.SequenceNode:
		for i, item := range n.Values {
			n.Values[i] = exponential(item)
		}
	}
	if what != "" && p.err == nil {
		p.err = wrongAt(lineOf(n), "%s", what)
	}
	if p.err != nil {
		return nil
	}
	return p
}

var exponent = regexp.MustCompile(`^[-+]?[0-9]+[eE][-+]?[0-9]+$`)

// exponential makes a number of 1e3, which the library takes for text.
func exponential(n ast.Node) ast.Node {
	s, ok := n.(*ast.StringNode)
	if !ok || s.Token.Type != token.StringType || !exponent.MatchString(s.Value) {
		return n
	}
	f, err := strconv.ParseFloat(s.Value, 64)
	if err != nil { // it is too large for a number
		return n
	}
	return &ast.FloatNode{BaseNode: s.BaseNode, Token: s.Token, Value: f}
}

// entriesOf are the names and values of an object.
func entriesOf(n ast.Node) (entries []*ast.MappingValueNode, ok bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode: // an object of one name
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// keyOf is the name of an entry, as it was written.
func keyOf(e *ast.MappingValueNode) string { return e.Key.GetToken().Value }

// textNode is a text, as a file has it.
func textNode(s string) ast.Node { return ast.String(token.String(s, s, &token.Position{})) }
