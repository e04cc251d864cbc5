package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// MemoryFile is a file of the working memory.
type MemoryFile struct {
	Path  string // below working-memory/, with slashes
	Size  int    // in bytes
	Hash  string
	Title string // its first line
}

// MemoryFiles lists the working memory: overview.md, then what lies in detail/, then in
// archive/. Links, and names that begin with a dot, are left out.
func (s *Store) MemoryFiles() ([]MemoryFile, error) {
	root, err := os.OpenRoot(filepath.Join(s.dir, memoryDir))
	if err != nil {
		return nil, fmt.Errorf("list the working memory: %w", err)
	}
	defer root.Close()
	var out []MemoryFile
	for _, f := range slices.Concat(listed(root, overviewFile), listed(root, detailDir), listed(root, archiveDir)) {
		if content, hash, err := readIn(root, f.name); err == nil { // else it went away meanwhile
			out = append(out, MemoryFile{Path: f.name, Size: len(content), Hash: hash, Title: s.Mask(titleOf(root, f.name))})
		}
	}
	return out, nil
}

// MemoryPath is where a file of the working memory lies on the disk, for an editor to
// open it.
func (s *Store) MemoryPath(name string) (string, error) {
	root, clean, err := s.memoryRoot(name)
	if err != nil {
		return "", err
	}
	return filepath.Join(s.dir, memoryDir, filepath.FromSlash(clean)), root.Close()
}
