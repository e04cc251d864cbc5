package memory

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Folders of the working memory.
const (
	DetailDir  = "detail"
	ArchiveDir = "archive"
)

// MemoryFile is a file of the working memory.
type MemoryFile struct {
	Path  string // below working-memory/, with slashes
	Size  int    // in bytes
	Hash  string
	Title string // its first line
}

// MemoryFiles lists the working memory: overview.md, then what lies in detail/, then in
// archive/. Links, and names that begin with a dot, as those of files that are just being
// written do, are left out.
func (s *Store) MemoryFiles() ([]MemoryFile, error) {
	root, err := os.OpenRoot(filepath.Join(s.dir, memoryDir))
	if err != nil {
		return nil, fmt.Errorf("list the working memory: %w", err)
	}
	defer root.Close()
	var out []MemoryFile
	for _, top := range []string{overviewFile, DetailDir, ArchiveDir} {
		_ = fs.WalkDir(root.FS(), top, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil: // what is not there, or goes away meanwhile, is not listed
				return nil
			case strings.HasPrefix(path.Base(name), ".") && d.IsDir():
				return fs.SkipDir
			case !d.Type().IsRegular() || strings.HasPrefix(path.Base(name), "."):
				return nil
			}
			if content, hash, err := readIn(root, name); err == nil {
				out = append(out, MemoryFile{Path: name, Size: len(content), Hash: hash, Title: s.Mask(firstLine(content))})
			}
			return nil
		})
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
