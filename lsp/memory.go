package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"
)

// isMemory tells whether a virtual document is a file of the working memory, which a
// person may edit.
func isMemory(name string) bool {
	for _, folder := range []string{"detail/", "archive/"} {
		if file, in := strings.CutPrefix(name, folder); in && file != "" {
			return true
		}
	}
	return name == "overview.md"
}

// cmdMemory lists the working memory, or opens a real file of it for editing.
func (s *server) cmdMemory(a args, session string) (rest, error) {
	name := strings.TrimPrefix(orElse(a.Path, a.word), "working-memory/")
	if name != "" && !isMemory(name) {
		return nil, badArguments("path is %q; it is overview.md, or a file in detail/ or archive/", name)
	}
	return func(ctx context.Context) (any, error) {
		if name == "" {
			return s.memoryOf(session)
		}
		path, err := s.host.MemoryPath(session, name)
		if err != nil {
			return nil, refused("not_found", "%v", err)
		}
		s.showDocument(ctx, fileURI(path), nil)
		return map[string]string{"path": path}, nil
	}, nil
}

func (s *server) memoryOf(session string) ([]memoryMessage, error) {
	files, err := s.host.MemoryFiles(session)
	out := []memoryMessage{}
	for _, f := range files {
		out = append(out, memoryMessage{session, f.Path, f.Size, f.Hash})
	}
	return out, err
}

// notifyMemory sends galley/memory for each file of the current session that is not as
// the client was told.
func (p *publisher) notifyMemory() {
	session := p.s.current()
	if session == "" {
		return
	}
	list, err := p.s.memoryOf(session)
	if err != nil {
		return // its folder is gone, with the session
	}
	now := map[memoryKey]memoryMessage{}
	for _, m := range list {
		k := memoryKey{session, m.Path}
		now[k] = m
		if p.files[k] != m {
			p.s.notify(methodMemory, jsonRaw(own(m)))
			p.files[k] = m
		}
	}
	for k := range p.files {
		if _, there := now[k]; !there && k.session == session {
			p.s.notify(methodMemory, jsonRaw(own(memoryMessage{Session: session, Path: k.path})))
			delete(p.files, k)
		}
	}
}

// memoryKey names a file of a session's memory.
type memoryKey struct{ session, path string }

// memoryLens leads from a page of the memory to its real file.
func memoryLens(session, name string) []protocol.CodeLens {
	if !isMemory(name) {
		return []protocol.CodeLens{}
	}
	return []protocol.CodeLens{lensAt(protocol.Position{}, offer{title: "Edit this file", command: cmdMemory, argument: map[string]string{"session": session, "path": name}})}
}
