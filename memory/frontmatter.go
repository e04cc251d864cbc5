package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Front is what code knows of the front matter of overview.md. Other keys are
// the model's; they are kept as they are written.
type Front struct {
	Version     int     `yaml:"version"`
	SessionID   string  `yaml:"session_id"`
	LastUpdated string  `yaml:"last_updated"`
	Project     Project `yaml:"project"`
	Status      string  `yaml:"status"`
	Task        string  `yaml:"task"`
	NextActions []any   `yaml:"next_actions"`
	Issues      []Issue `yaml:"issues"`
}

// Project is what the workspace is: the last three are maps with names.
// Lists in their place are as good.
type Project struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	TechStack   any    `yaml:"tech_stack"`
	KeyPaths    any    `yaml:"key_paths"`
	Commands    any    `yaml:"commands"`
}

// Issue is something that stands in the way.
type Issue struct {
	ID       string `yaml:"id"`
	Title    string `yaml:"title"`
	Severity string `yaml:"severity,omitempty"`
	Status   string `yaml:"status"`
	Proposal string `yaml:"proposal,omitempty"`
}

// errNoFront says that a text does not begin with front matter.
var errNoFront = errors.New("it has no front matter")

// splitFront cuts a text into its front matter, without the fences, and the
// body behind it. Both keep their line endings.
func splitFront(text string) (front, body string, err error) {
	rest, ok := cutFence(text)
	if !ok {
		return "", text, errNoFront
	}
	for at := 0; at < len(rest); {
		if body, ok := cutFence(rest[at:]); ok {
			return rest[:at], body, nil
		}
		i := strings.IndexByte(rest[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return "", text, errors.New("its front matter is not closed by a line ---")
}

// cutFence takes a line "---" off the beginning.
func cutFence(s string) (rest string, ok bool) {
	line, rest, _ := strings.Cut(strings.TrimPrefix(s, bom), "\n")
	return rest, strings.TrimRight(line, " \t\r") == "---"
}

// joinFront is the inverse of splitFront, with the fences of original.
func joinFront(original, front, body string) string {
	eol := eolOf(original)
	mark := ""
	if strings.HasPrefix(original, bom) {
		mark = bom
	}
	return mark + "---" + eol + front + "---" + eol + strings.TrimPrefix(body, bom)
}

// bom begins the files of some editors.
const bom = "\ufeff"

// maxFront bounds a front matter: the parser takes its time.
const maxFront = 16 << 10

func parseFront(front string) (Front, error) {
	var f Front
	if len(front) > maxFront {
		return f, fmt.Errorf("its front matter has %d KB, over %d", len(front)>>10, maxFront>>10)
	}
	if err := decodeFront(front, &f); err != nil || len(f.Issues) == 0 {
		return f, err
	}
	issues, err := issuesOf(front)
	if err == nil {
		_, err = encodeFront(issues) // there are keys that only come in
	}
	return f, err
}

// issuesOf are the issues of a front matter, with what code does not know of them.
func issuesOf(front string) ([]yaml.MapSlice, error) {
	var f struct {
		Issues []yaml.MapSlice `yaml:"issues"`
	}
	err := decodeFront(front, &f)
	return f.Issues, err
}

// decodeFront reads what v names of a front matter.
func decodeFront(front string, v any) error {
	return guarded(func() error {
		return yaml.Unmarshal([]byte(strings.ReplaceAll(front, "\r\n", "\n")), v)
	})
}

func encodeFront(v any) (text string, err error) {
	err = guarded(func() error {
		data, err := yaml.MarshalWithOptions(v, yaml.IndentSequence(true))
		text = string(data)
		return err
	})
	return text, err
}

// guarded runs the YAML library over a text from outside. There are texts that
// it panics on; they are as invalid as the others.
func guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("its front matter cannot be read: %v", p)
		}
	}()
	if err := do(); err != nil {
		return fmt.Errorf("its front matter is not valid: %s", firstLine(yaml.FormatError(err, false, false)))
	}
	return nil
}

// setKey gives one top-level key of a front matter another value. Every other
// line stays as it is.
func setKey(front, key string, value any) (string, error) {
	text, err := encodeFront(yaml.MapSlice{{Key: key, Value: value}})
	if err != nil {
		return front, err
	}
	lines := strings.SplitAfter(front, "\n")
	first, last, err := keyLines(front, len(lines), key)
	if err != nil {
		return front, err
	}
	eol := eolOf(front)
	before := strings.Join(lines[:first], "")
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += eol
	}
	out := before + strings.ReplaceAll(text, "\n", eol) + strings.Join(lines[last:], "")
	if _, _, err := keyLines(out, 0, key); err != nil {
		return front, err
	}
	return out, nil
}

// keyLines is the range of lines that a top-level key takes up; an empty one at
// the end if it is not there.
func keyLines(front string, n int, key string) (first, last int, err error) {
	text := strings.ReplaceAll(front, "\r\n", "\n")
	var file *ast.File
	err = guarded(func() (err error) {
		file, err = parser.ParseBytes([]byte(text), 0)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	first, last = n, n
	for _, kv := range topLevel(file) {
		line := kv.Key.GetToken().Position.Line - 1
		switch {
		case kv.Key.String() == key:
			first = line
		case line > first && line < last:
			last = line
		}
	}
	// Comments and blank lines above the next key belong to that.
	lines := strings.Split(text, "\n")
	for last > first+1 && last < n && loose(lines[last-1]) {
		last--
	}
	return first, last, nil
}

func loose(line string) bool {
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#")
}

func topLevel(file *ast.File) []*ast.MappingValueNode {
	if len(file.Docs) == 0 {
		return nil
	}
	switch n := file.Docs[0].Body.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// eolOf is the line ending that a text uses.
func eolOf(s string) string {
	if i := strings.IndexByte(s, '\n'); i > 0 && s[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "# ")); line != "" && line != "---" {
			return line
		}
	}
	return ""
}
