package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/galley-ls/galley/testdata"
)

// copySample writes the sample project that the program carries into a folder, byte for byte.
func copySample(folder string) error {
	files, err := fs.Sub(testdata.Demo, "demo")
	if err == nil {
		err = os.CopyFS(folder, files)
	}
	if err != nil {
		return fmt.Errorf("copy the sample project: %w", err)
	}
	return nil
}

// sample is a file of the project as it was in the beginning.
func sample(name string) (string, error) {
	b, err := testdata.Demo.ReadFile("demo/" + name)
	return string(b), err
}

// path is where a file of the project is.
func (a *act) path(name string) string {
	return filepath.Join(a.place.workspace, filepath.FromSlash(name))
}

// disk is a file of the project as it is now.
func (a *act) disk(name string) (string, error) {
	b, err := os.ReadFile(a.path(name))
	return string(b), err
}

// expectDisk checks a file, byte for byte.
func (a *act) expectDisk(name, want string) error {
	got, err := a.disk(name)
	if err == nil && got != want {
		err = fmt.Errorf("%s should be %q, and it is %q", name, want, got)
	}
	return err
}

// expectUntouched checks that files are what they were in the beginning.
func (a *act) expectUntouched(names ...string) error {
	for _, name := range names {
		was, err := sample(name)
		if err == nil {
			err = a.expectDisk(name, was)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// expectGranted checks that a file is what it was in the beginning but for the wishes.
func (a *act) expectGranted(name string, wishes ...wish) error {
	text, err := sample(name)
	if err != nil {
		return err
	}
	for _, w := range wishes {
		text = w.granted(text)
	}
	return a.expectDisk(name, text)
}

// wish is a replacement that the person asks for, and that the file must show in the end.
type wish struct{ file, old, new string }

// words are the wish as an instruction. Without a file it means the one that was touched last.
func (w wish) words() string {
	words := fmt.Sprintf("replace %s with %s", quote(w.old), quote(w.new))
	if w.file != "" {
		words += " in " + w.file
	}
	return words
}

// granted is a text with the wish in it. It is made without galley, which is checked against it.
func (w wish) granted(text string) string { return strings.ReplaceAll(text, w.old, w.new) }

func quote(s string) string {
	if strings.Contains(s, `"`) {
		return "'" + s + "'"
	}
	return `"` + s + `"`
}
