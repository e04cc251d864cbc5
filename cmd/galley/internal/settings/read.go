package settings

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/galley-ls/galley/agent/session"
)

// read takes a value as it was written, or says what is wrong with it.
func (r Row) read(n ast.Node) (any, error) {
	v, err := r.decode(n)
	if s, ok := v.(string); ok && err == nil {
		err = r.checkText(s)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w", r.Name, err)
	}
	return v, nil
}

// decode has the library make a value of the row's type. The library would also make texts of numbers, and numbers of
// texts: what was written must be of the row's kind before.
func (r Row) decode(n ast.Node) (any, error) {
	switch r.Kind {
	case Text, Path:
		if err := lineOfText(n); err != nil {
			return nil, err
		}
	case Word:
		if r.byFile && writtenKind(n) == Object {
			return r.wordsByFile(n)
		}
		if !slices.Contains(r.Words, textOf(n)) {
			return nil, r.notAWord(n)
		}
		return textOf(n), nil
	case Number, Decimal:
		return r.number(n)
	case Duration:
		return r.duration(n)
	default:
		if err := r.checkWritten(n); err != nil {
			return nil, err
		}
	}
	v := reflect.New(r.typ)
	if err := yaml.NodeToValue(n, v.Interface()); err != nil {
		return nil, r.refused(n, err)
	}
	return v.Elem().Interface(), nil
}

// refused says for people why the library does not take a value.
func (r Row) refused(n ast.Node, err error) error {
	var twice *yaml.DuplicateKeyError
	if errors.As(err, &twice) {
		return fmt.Errorf("has %s twice; remove one of them", shownName(twice.GetToken().Value))
	}
	return r.mustBe(n)
}

// mustBe says what a value of the row's kind looks like.
func (r Row) mustBe(n ast.Node) error {
	want := map[Kind]string{
		Flag: "true or false", Number: "a whole number", Decimal: "a number", Duration: "a time like 90s or 2m",
		Texts: "a list of texts", Headers: "an object of names and texts", Object: "an object",
	}[r.Kind]
	return fmt.Errorf("must be %s, and is %s", want, shown(n))
}

// writtenKind is the kind that a value has as it was written: Nothing, Flag, Number, Decimal, Text, Texts or Object.
func writtenKind(n ast.Node) Kind {
	switch n := n.(type) {
	case *ast.BoolNode:
		return Flag
	case *ast.IntegerNode:
		return Number
	case *ast.FloatNode:
		if n.Value == math.Trunc(n.Value) {
			return Number
		}
		return Decimal
	case *ast.StringNode, *ast.LiteralNode:
		return Text
	case *ast.SequenceNode:
		return Texts
	case *ast.MappingNode, *ast.MappingValueNode:
		return Object
	}
	return Nothing
}

// checkWritten looks at flags, lists and objects before the library does.
func (r Row) checkWritten(n ast.Node) error {
	kind := writtenKind(n)
	if kind != r.Kind && !(kind == Object && r.Kind == Headers) {
		return r.mustBe(n)
	}
	if r.Kind == Texts {
		for i, item := range n.(*ast.SequenceNode).Values {
			if err := lineOfText(item); err != nil {
				return fmt.Errorf("must be a list of texts; entry %d %w", i+1, err)
			}
		}
	}
	if r.Kind == Headers {
		return checkHeaders(n)
	}
	return nil
}

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

func checkHeaders(n ast.Node) error {
	entries, _ := entriesOf(n)
	for _, e := range entries {
		switch name := keyOf(e); {
		case !headerName.MatchString(name):
			return fmt.Errorf("has a name that no header can have: %s", shownName(name))
		case writtenKind(e.Value) != Text:
			return fmt.Errorf("has a value for %s that is no text; put it in quotes", name)
		case lineOfText(e.Value) != nil:
			return fmt.Errorf("has a value for %s of more than one line", name)
		}
	}
	return nil
}

// shown is a value in a complaint: short, and only where it can be no key.
func shown(n ast.Node) string {
	switch writtenKind(n) {
	case Nothing:
		return "empty"
	case Texts:
		return "a list"
	case Object:
		return "an object"
	}
	text := n.GetToken().Value
	if writtenKind(n) == Text {
		text = strconv.Quote(textOf(n))
	}
	if len(text) > 26 {
		return "a longer text"
	}
	return text
}

// textOf is what stands in a text, "" for what is none.
func textOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	}
	return ""
}

func lineOfText(n ast.Node) error {
	switch writtenKind(n) {
	case Text:
		if strings.ContainsAny(textOf(n), "\n\r\x00") {
			return errors.New("must be text of one line")
		}
		return nil
	case Flag, Number, Decimal:
		return fmt.Errorf("must be text; put %s in quotes", shown(n))
	}
	return fmt.Errorf("must be text, and is %s", shown(n))
}

func (r Row) notAWord(n ast.Node) error {
	if near := Nearest(strings.ToLower(textOf(n)), r.Words); near != "" {
		return fmt.Errorf("is %s; did you mean %q?", shown(n), near)
	}
	why := ""
	if isPlanned(r.Name + "." + textOf(n)) {
		why = ", which is not there yet"
	}
	return fmt.Errorf("is %s%s; it is one of %s", shown(n), why, strings.Join(r.Words, ", "))
}

// wordsByFile reads globs with a word each.
func (r Row) wordsByFile(n ast.Node) (any, error) {
	out, _ := r.Default().(string)
	words := ByFile{DefaultFile: out}
	entries, _ := entriesOf(n)
	seen := map[string]bool{}
	for _, e := range entries {
		glob := keyOf(e)
		switch {
		case seen[glob]:
			return nil, fmt.Errorf("has %s twice; remove one of them", shownName(glob))
		case !session.IsGlob(glob):
			return nil, fmt.Errorf(`has a name that is no glob: %s; write for example "docs/**"`, shownName(glob))
		case !slices.Contains(r.Words, textOf(e.Value)):
			return nil, fmt.Errorf("for %s %w", shownName(glob), r.notAWord(e.Value))
		}
		seen[glob], words[glob] = true, textOf(e.Value)
	}
	return words, nil
}

func (r Row) number(n ast.Node) (any, error) {
	f := 0.0
	kind := writtenKind(n)
	if kind != Number && (kind != Decimal || r.Kind != Decimal) || yaml.NodeToValue(n, &f) != nil {
		return nil, r.mustBe(n)
	}
	if !r.within(f) {
		return nil, fmt.Errorf("is %s; it must be %s", shown(n), r.bounds())
	}
	if r.Kind == Number {
		return int(f), nil
	}
	return f, nil
}

func (r Row) duration(n ast.Node) (any, error) {
	d, err := time.ParseDuration(textOf(n))
	switch {
	case err != nil:
		return nil, r.mustBe(n)
	case !r.within(float64(d)):
		return nil, fmt.Errorf("is %s; it must be %s", textOf(n), r.bounds())
	}
	return d, nil
}

// checkText looks at the texts that are more than texts.
func (r Row) checkText(s string) error {
	switch {
	case s == "":
	case r.Name == "model.base_url":
		return isURL(s)
	case r.Name == "model.api_key_env" && !variableName.MatchString(s): // it is not told: it may be the key itself
		return errors.New("is the name of an environment variable, in capitals; the key itself stands in that variable and in no file")
	}
	return nil
}

var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// isURL wants an address of a server. The address is not told: it may hold a password.
func isURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return errors.New("is no address; it looks like http://localhost:11434/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("must begin with http:// or https://")
	case u.Host == "":
		return errors.New("names no server; it looks like http://localhost:11434/v1")
	}
	return nil
}

// fromText is what the text of a variable or a flag says; lists and objects are JSON.
func (r Row) fromText(s string) (ast.Node, error) {
	switch r.Kind {
	case Text, Word, Path, Duration:
		if n, err := parseJSON([]byte(s)); r.byFile && err == nil && writtenKind(n) == Object {
			return n, nil
		}
		return textNode(s), nil
	case Flag:
		if b, err := strconv.ParseBool(s); err == nil {
			return parseYAML(strconv.AppendBool(nil, b))
		}
		return textNode(s), nil
	case Number, Decimal:
		if n, err := parseJSON([]byte(s)); err == nil && writtenKind(n) != Nothing {
			return n, nil
		}
		return textNode(s), nil
	}
	n, err := parseJSON([]byte(s))
	if err != nil {
		return nil, fmt.Errorf("%s must be JSON, like %s", r.Name, map[Kind]string{
			Texts: `["*.lock"]`, Headers: `{"X-Title":"galley"}`, Object: `{"top_k":40}`,
		}[r.Kind])
	}
	return n, nil
}
