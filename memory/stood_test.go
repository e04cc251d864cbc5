package memory

import (
	"os"
	"path/filepath"
	"testing"
)

// What is kept of where changes stood is the person's own, and is known by its content:
// of what is torn or gone nothing is read.
func TestStood(t *testing.T) {
	s := newStore(t)
	first, err := s.KeepStood([]byte("first"))
	ok(t, err)
	second, err := s.KeepStood([]byte("second"))
	ok(t, err)
	path := filepath.Join(s.Dir(), stoodDir, first)
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != fileMode {
		t.Errorf("%v, %v", fi, err)
	}
	if data, err := s.Stood(first); err != nil || string(data) != "first" {
		t.Errorf("%q, %v", data, err)
	}
	ok(t, os.WriteFile(path, []byte("fir"), fileMode))
	if data, err := s.Stood(first); err == nil {
		t.Errorf("torn, it reads %q", data)
	}
	s.DropStood([]string{first})
	if data, err := s.Stood(second); err == nil {
		t.Errorf("dropped, it reads %q", data)
	}
	for _, name := range []string{"", "../" + journalFile, first[1:]} {
		if data, err := s.Stood(name); err == nil {
			t.Errorf("%q reads %q", name, data)
		}
	}
}
