package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// userFile reads the person's own settings.
func (l *loader) userFile() {
	if l.src.Config == "" {
		return
	}
	path, data, ok := l.find(l.src.Config, FromUser)
	if !ok {
		return
	}
	o := Origin{Source: FromUser, Name: path}
	if n, ok := l.parse(o, data); ok {
		l.file(o, n)
	}
}

// file takes the settings of one file.
func (l *loader) file(o Origin, n ast.Node) {
	l.seen = map[string]int{}
	if n != nil {
		o.Line = lineOf(n)
	}
	l.walk(o, "", n)
}

// find reads the one file of settings in a folder.
func (l *loader) find(folder string, from Source) (path string, data []byte, ok bool) {
	for _, name := range fileNames {
		f := File{Path: filepath.Join(folder, name), Source: from}
		o := Origin{Source: from, Name: f.Path}
		content, err := readSmall(f.Path, mostBytes)
		f.There = !notThere(err)
		switch {
		case !f.There:
		case path != "":
			l.warn(o.say("put everything into one of them", "it is not read: %s is there", homely(path)))
		case err != nil:
			l.wrong(o.say("", "%s", err))
			path = f.Path
		default:
			f.Read, path, data, ok = true, f.Path, content, true
		}
		l.out.Files = append(l.out.Files, f)
	}
	return path, data, ok
}

// parse reads a file by its ending.
func (l *loader) parse(o Origin, data []byte) (ast.Node, bool) {
	parse := parseYAML
	if strings.HasSuffix(o.Name, ".json") {
		parse = parseJSON
	}
	n, err := parse(data)
	if err == nil {
		return n, true
	}
	var at *lineError
	if errors.As(err, &at) {
		o.Line = at.line
		l.wrong(o.say("", "%s", at.what))
	} else {
		l.wrong(o.say("", "%s", err))
	}
	return nil, false
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
