package session

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// Folders of the working memory.
const (
	detailDir  = "detail"
	archiveDir = "archive"
)

// documents are the pages of a session that are always there, by their names.
var documents = map[string]func(*requests) (string, error){
	"tasks.md":   func(s *requests) (string, error) { return "# Tasks\n\n" + s.TaskTree() + "\n", nil },
	"context.md": func(s *requests) (string, error) { return "# Context\n\n" + s.ContextPage(), nil },
	"history.md": func(s *requests) (string, error) { return s.History(), nil },
	"prompt.md":  func(s *requests) (string, error) { return s.PromptPage(), nil },
	overview:     func(s *requests) (string, error) { return s.memoryPage(overview) },
	detailDir:    func(s *requests) (string, error) { return s.folderPage(detailDir) },
	archiveDir:   func(s *requests) (string, error) { return s.folderPage(archiveDir) },
}

// Document is a page of the session: one of documents, or detail/NAME and archive/NAME.
func (s *requests) Document(name string) (string, error) {
	if page, ok := documents[strings.TrimSuffix(name, "/")]; ok {
		return page(s)
	}
	folder, _, _ := strings.Cut(name, "/")
	if path.Clean(name) == name && (folder == detailDir || folder == archiveDir) {
		return s.memoryPage(name)
	}
	return "", fmt.Errorf("there is no document %q; there are overview.md, tasks.md, context.md, history.md, prompt.md, detail/, archive/ and the files in them", name)
}

func (s *requests) memoryPage(name string) (string, error) {
	content, _, err := s.memory.Read(name)
	return s.Mask(content), err
}

// folderPage lists a folder of the working memory.
func (s *requests) folderPage(folder string) (string, error) {
	files, err := s.store.MemoryFiles()
	if err != nil {
		return "", err
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "# %s%s/\n\n", MemoryPrefix, folder)
	files = slices.DeleteFunc(files, func(f memory.MemoryFile) bool { return !strings.HasPrefix(f.Path, folder+"/") })
	for _, f := range files {
		fmt.Fprintf(&sb, "- %s (%s): %s\n", f.Path, kilobytes(f.Size), f.Title)
	}
	if len(files) == 0 {
		sb.WriteString("Nothing is here yet.\n")
	}
	return sb.String(), nil
}

func kilobytes(n int) string {
	if n < 1<<10 {
		return text.Plural(n, "byte")
	}
	return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
}

// CachedPercent says how much of the last request the model's server still had.
func (s *base) CachedPercent() int { return s.store.CachedPercent() }

// MemoryFiles lists the working memory.
func (s *base) MemoryFiles() ([]memory.MemoryFile, error) { return s.store.MemoryFiles() }

// MemoryPath is where a file of the working memory lies on the disk.
func (s *base) MemoryPath(name string) (string, error) { return s.store.MemoryPath(name) }
