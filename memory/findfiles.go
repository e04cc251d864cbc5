package memory

import (
	"os"
	"path/filepath"
	"strings"
)

// MemoryLine is a line of a file of the working memory.
type MemoryLine struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// FindInMemory finds the lines of the working memory in which a text occurs, letter case
// aside: at most so many, those of overview.md first.
func (s *Store) FindInMemory(text string, most int) []MemoryLine {
	files, err := s.MemoryFiles()
	root, fault := os.OpenRoot(filepath.Join(s.dir, memoryDir))
	if err != nil || fault != nil {
		return nil // whoever lists the files is told why
	}
	defer root.Close()
	out := []MemoryLine{}
	for _, f := range files {
		content, _, err := readIn(root, f.Path)
		if err != nil {
			continue // it went away meanwhile
		}
		for i, line := range strings.Split(content, "\n") {
			if len(out) >= most {
				return out
			}
			if strings.Contains(strings.ToLower(line), strings.ToLower(text)) {
				out = append(out, MemoryLine{f.Path, i + 1, s.Mask(strings.TrimSpace(line))})
			}
		}
	}
	return out
}
