package settings

import (
	"bytes"
	"errors"
	"fmt"
	"math"

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

// parseYAML reads one document. An empty one is an empty object.
func parseYAML(data []byte) (n node, err error) {
	defer func() { // there are texts that the library panics on; they are as wrong as others
		if p := recover(); p != nil {
			n, err = node{}, wrongAt(1, "it is no YAML that can be read")
		}
	}()
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if err := shallow(data); err != nil {
		return node{}, err
	}
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return node{}, syntaxError(err)
	}
	out := node{line: 1}
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if d.Body.Type() == ast.DirectiveType {
			return node{}, wrongAt(lineOf(d.Body), "directives are not read here; remove the line")
		}
		if out.value != nil {
			return node{}, wrongAt(lineOf(d.Body), "there is a second document; put everything into the first")
		}
		if out, err = yamlNode(d.Body, 0); err != nil {
			return node{}, err
		}
	}
	return out, nil
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
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			case '-', '?', '&', '!', '*', ':':
				if j+1 == len(line) || line[j+1] == ' ' || c == '&' || c == '!' {
					marks++
				}
			}
		}
		if depth > mostDepth || marks > mostDepth && !bytes.ContainsAny(line, "\"'#") || marks > 20*mostDepth {
			return wrongAt(i+1, "it is nested too deep")
		}
	}
	return nil
}

// yamlNode takes over what JSON could say as well.
func yamlNode(n ast.Node, depth int) (node, error) {
	if depth > mostDepth {
		return node{}, wrongAt(lineOf(n), "it is nested too deep")
	}
	out := node{line: lineOf(n)}
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.BoolNode:
		out.value = n.Value
	case *ast.StringNode:
		out.value = n.Value
	case *ast.LiteralNode:
		out.value = n.Value.Value
	case *ast.FloatNode:
		out.value = n.Value
	case *ast.IntegerNode:
		return yamlNumber(out, n.Value)
	case *ast.SequenceNode:
		return yamlList(out, n, depth)
	case *ast.MappingNode:
		return yamlObject(out, n.Values, depth)
	case *ast.MappingValueNode:
		return yamlObject(out, []*ast.MappingValueNode{n}, depth)
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return node{}, wrongAt(out.line, "anchors, aliases and merged keys are not read here; write the value out")
	case *ast.TagNode:
		return node{}, wrongAt(out.line, "tags like !!str are not read here; put text into quotes")
	default:
		return node{}, wrongAt(out.line, "a setting cannot be this")
	}
	return out, nil
}

func yamlNumber(out node, v any) (node, error) {
	switch v := v.(type) {
	case int64:
		out.value = v
		return out, nil
	case uint64:
		if v <= math.MaxInt64 {
			out.value = int64(v)
			return out, nil
		}
	}
	return node{}, wrongAt(out.line, "the number is too large")
}

func yamlList(out node, n *ast.SequenceNode, depth int) (node, error) {
	list := make([]node, len(n.Values))
	for i, v := range n.Values {
		if v == nil { // "- " and nothing behind it
			list[i] = node{line: out.line}
			continue
		}
		item, err := yamlNode(v, depth+1)
		if err != nil {
			return node{}, err
		}
		list[i] = item
	}
	out.value = list
	return out, nil
}

func yamlObject(out node, values []*ast.MappingValueNode, depth int) (node, error) {
	entries := []entry{}
	for _, v := range values {
		key, err := yamlKey(v.Key)
		if err != nil {
			return node{}, err
		}
		key.node = node{line: key.line}
		if v.Value != nil {
			if key.node, err = yamlNode(v.Value, depth+1); err != nil {
				return node{}, err
			}
		}
		entries = append(entries, key)
	}
	out.value = entries
	return out, nil
}

func yamlKey(n ast.MapKeyNode) (entry, error) {
	switch k := n.(type) {
	case *ast.StringNode:
		return entry{key: k.Value, line: lineOf(k)}, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return entry{key: k.GetToken().Value, line: lineOf(k)}, nil
	case nil:
		return entry{}, wrongAt(1, "there is a value without a name")
	}
	return entry{}, wrongAt(lineOf(n), "a name of a setting is plain text")
}
