package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

const stoodDir = "stood"

// KeepStood keeps where changes stood in a document, beside the journal. It is named by
// its content: one that a crash tore is not the one that was kept. Whoever finds none
// goes by the journal alone, so that nothing waits for the disk.
func (s *Store) KeepStood(data []byte) (name string, err error) {
	name = hashOf(string(data))
	dir := filepath.Join(s.dir, stoodDir)
	if err = os.MkdirAll(dir, dirMode); err == nil {
		point(stoodDir, "write")
		err = os.WriteFile(filepath.Join(dir, name), data, fileMode)
		point(stoodDir, "written")
	}
	if err != nil {
		return "", fmt.Errorf("keep where changes stood: %w", err)
	}
	return name, nil
}

// Stood is what was kept under a name.
func (s *Store) Stood(name string) ([]byte, error) {
	data, err := contentOf(filepath.Join(s.dir, stoodDir), name)
	if err != nil {
		return nil, fmt.Errorf("read where changes stood: %w", err)
	}
	return data, nil
}

// DropStood drops what was kept under other names. What fails is tried again the next
// time.
func (s *Store) DropStood(but []string) {
	dir := filepath.Join(s.dir, stoodDir)
	found, _ := os.ReadDir(dir)
	for _, f := range found {
		if !slices.Contains(but, f.Name()) {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}
