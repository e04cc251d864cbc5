package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
)

const watchID = "galley-files"

// watch has the client tell of changes to closed files that have changes of the
// agent. Galley looks itself too: some clients tell only of their own saves.
func (s *server) watch(ctx context.Context, paths []string, had bool) {
	if had {
		s.unregister(ctx, watchID, protocol.MethodWorkspaceDidChangeWatchedFiles)
	}
	if len(paths) == 0 {
		return
	}
	type watcher struct {
		GlobPattern string `json:"globPattern"`
	}
	var list []watcher
	for _, p := range paths {
		list = append(list, watcher{globOf(p)})
	}
	s.register(ctx, watchID, protocol.MethodWorkspaceDidChangeWatchedFiles, map[string]any{"watchers": list})
}

// globOf is a pattern that matches one path: what would be a wildcard stands for
// any character.
func globOf(path string) string {
	out := []rune(path)
	for i, r := range out {
		switch r {
		case '*', '?', '[', ']', '{', '}', ',', '!':
			out[i] = '?'
		case '\\':
			out[i] = '/'
		}
	}
	return string(out)
}

func (s *server) didChangeWatchedFiles(params json.RawMessage) error {
	var p struct {
		Changes []struct {
			URI string `json:"uri"`
		} `json:"changes"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	var paths []string
	for _, c := range p.Changes {
		if path, ok := filePath(c.URI); ok {
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		s.spawn(func(ctx context.Context) { s.host.FilesChanged(ctx, paths) })
	}
	return nil
}
