package tools

import (
	"context"
	_ "embed"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

//go:embed delete_file.md
var deleteFileDoc string

// deleteFile stages the deletion of a file.
func deleteFile() Tool { return define("delete_file", deleteFileDoc, stageDeletion) }

// DeleteFileArgs are the arguments of delete_file.
type DeleteFileArgs struct {
	Path   string `json:"path"`
	Reason string `json:"reason,omitempty"`
}

func stageDeletion(_ context.Context, s *session.Session, by session.By, a DeleteFileArgs) Outcome {
	if strings.HasPrefix(a.Path, session.MemoryPrefix) {
		return notesStay()
	}
	return edit(s, by, a.Path, "delete_file", a.Reason, func(p session.Place) editing.Op {
		return editing.DeleteFile(editing.Deletion{Meta: p.Meta, Path: p.Path})
	})
}

// notesStay is the answer where a file of the working memory is to go.
func notesStay() Outcome {
	return Refused(CodeOutsideRoots, "notes under "+session.MemoryPrefix+" stay where they are; write one anew instead")
}
