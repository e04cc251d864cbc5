package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
)

// File is a file of settings that is looked for.
type File struct {
	Path   string
	Source Source
	There  bool
	Read   bool // false: not there, or not to be read
}

// document is a file of settings as it was read.
type document struct {
	origin Origin
	data   []byte
	node   ast.Node // nil: nothing stands in it
}

// userFile reads the person's own settings and prompts.
func (l *loader) userFile() {
	if l.src.Config == "" {
		return
	}
	if d := l.find(l.src.Config, FromUser); d != nil {
		l.file(*d)
	}
	maps.Copy(l.out.Prompts, l.readPrompts(FromUser, l.src.Config))
	l.takeSkills(l.readSkills(FromUser, l.src.Config))
}

// file takes the settings of one file.
func (l *loader) file(d document) {
	l.seen = map[string]int{}
	if d.node != nil {
		d.origin.Line = lineOf(d.node)
	}
	l.walk(d.origin, "", d.node)
}

// find reads the one file of settings in a folder; nil if there is none that can be read.
func (l *loader) find(folder string, from Source) *document {
	first, out := "", (*document)(nil)
	for _, name := range fileNames {
		f := File{Path: filepath.Join(folder, name), Source: from}
		o := Origin{Source: from, Name: f.Path}
		data, err := readSmall(f.Path, mostBytes)
		f.There = !notThere(err)
		switch {
		case !f.There:
		case first != "":
			l.warn(o.say("put everything into one of them", "it is not read: %s is there", homely(first)))
		case err != nil:
			l.wrong(o.say("", "%s", err))
			first = f.Path
		default:
			f.Read, first = true, f.Path
			out = l.parse(o, data)
		}
		l.out.Files = append(l.out.Files, f)
	}
	return out
}

// parse reads a file by its ending.
func (l *loader) parse(o Origin, data []byte) *document {
	parse := parseYAML
	if strings.HasSuffix(o.Name, ".json") {
		parse = parseJSON
	}
	n, err := parse(data)
	if err == nil {
		return &document{o, data, n}
	}
	what := err.Error()
	var at *lineError
	if errors.As(err, &at) {
		o.Line, what = at.line, at.what
	}
	l.wrong(o.say("", "%s", what))
	return nil
}

// readSmall reads a regular file of text, and nothing that is larger than it may be.
func readSmall(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path) // not Open: a pipe would wait for a writer
	if err != nil {
		return nil, plainError(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, plainError(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, plainError(err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("it is larger than %d KB", most>>10)
	case !utf8.Valid(data):
		return nil, errors.New("it is not UTF-8 text; save it as UTF-8")
	}
	return data, nil
}

// notThere reports that there is no such file, nor perhaps its folder.
func notThere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// plainError leaves the path out, which stands in front of every problem.
func plainError(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("cannot be read: %w", at.Err)
	}
	return err
}
