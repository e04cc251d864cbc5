package tools

import (
	"context"
	_ "embed"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

//go:embed rename_file.md
var renameFileDoc string

// renameFile stages another name for a file.
func renameFile() Tool { return define("rename_file", renameFileDoc, stageRenaming) }

// RenameFileArgs are the arguments of rename_file.
type RenameFileArgs struct {
	Path   string `json:"path"`
	To     string `json:"to"`
	Reason string `json:"reason,omitempty"`
}

func stageRenaming(_ context.Context, s *session.Session, by session.By, a RenameFileArgs) Outcome {
	if strings.HasPrefix(a.Path, session.MemoryPrefix) || strings.HasPrefix(a.To, session.MemoryPrefix) {
		return notesStay()
	}
	to, err := s.Look(a.To, true)
	var there []*editing.Document
	switch {
	case err == nil:
		there = append(there, to.Document)
	case failed(err).Code != CodeFileNotFound || to.Path == "":
		return failedOn(a.To, err)
	}
	o := edit(s, by, a.Path, "rename_file", a.Reason, func(p session.Place) editing.Op {
		return editing.RenameFile(editing.Renaming{Meta: p.Meta, Path: p.Path, To: to.Path, ToName: to.Name})
	}, there...)
	if o.Status == StatusEditing {
		o.Path = to.Name
	}
	return o
}
