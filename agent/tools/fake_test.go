package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// fake is a Table with a little state: files, staged replacements, tasks. It remembers the arguments of the last call.
type fake struct {
	files  map[string]string
	staged []staged
	tasks  []string
	edits  int
	last   any

	noCommands bool
}

type staged struct{ path, old, new string }

func newFake() *fake {
	return &fake{files: map[string]string{"a.txt": "one\ntwo\none\n", "b.go": "x <- y && z > 1\n"}}
}

// call runs a tool and decodes its result, which must be JSON with a status.
func call(t *testing.T, table Table, name, arguments string) session.Outcome {
	t.Helper()
	content := Run(t.Context(), table, memory.ToolCall{ID: "c1", Name: name, Arguments: arguments})
	var out session.Outcome
	if err := json.Unmarshal([]byte(content), &out); err != nil || out.Status == "" {
		t.Fatalf("%s(%s) answers %s: %v", name, arguments, content, err)
	}
	return out
}

func (f *fake) proposed(path string) string {
	s := f.files[path]
	for _, c := range f.staged {
		if c.path == path {
			s = strings.Replace(s, c.old, c.new, 1)
		}
	}
	return s
}

func (f *fake) Read(_ context.Context, a session.ReadArgs) session.Outcome {
	f.last = a
	if _, ok := f.files[a.Path]; !ok {
		return session.Answer(session.CodeFileNotFound, "there is no such file; list_files shows what is there")
	}
	s := f.proposed(a.Path)
	return session.Outcome{Status: session.StatusOK, Path: a.Path, Text: &s, TotalLines: new(strings.Count(s, "\n"))}
}

func (f *fake) ReadFile(ctx context.Context, a session.ReadFileArgs) session.Outcome {
	out := f.Read(ctx, session.ReadArgs{Path: a.Path})
	f.last = a
	return out
}

func (f *fake) Replace(_ context.Context, a session.ReplaceArgs) session.Outcome {
	f.last = a
	switch n := strings.Count(f.proposed(a.Path), a.OldText); {
	case a.OldText == "":
		return session.Refused(session.CodeEmptyOldText, "old_text is empty; copy it from the file")
	case n == 0:
		return session.Answer(session.CodeNoMatch, "old_text is not in the file; read it again")
	case n > 1 && a.MatchID == "":
		out := session.Answer(session.CodeAmbiguous, "repeat the call with match_id")
		out.Total = &n
		for i := range n {
			out.Candidates = append(out.Candidates, session.Candidate{MatchID: string(rune('A' + i)), Line: i + 1, Text: a.OldText})
		}
		return out
	}
	f.staged = append(f.staged, staged{a.Path, a.OldText, a.NewText})
	return f.pending()
}

func (f *fake) pending() session.Outcome {
	out := session.Outcome{Status: session.StatusEditing, SessionID: fmt.Sprintf("sess-%d", f.edits+1), PendingChanges: []session.PendingChange{}}
	for i, c := range f.staged {
		out.PendingChanges = append(out.PendingChanges, session.PendingChange{
			ChangeID: string(rune('A' + i)), Revision: 1, Path: c.path, Line: 1, OldLength: len(c.old), Delta: len(c.new) - len(c.old),
		})
	}
	return out
}

func (f *fake) ReplaceSpan(ctx context.Context, a session.SpanArgs) session.Outcome {
	s := f.proposed(a.Path)
	from := strings.Index(s, a.OldSpanStart)
	to := strings.LastIndex(s, a.OldSpanEnd)
	if from < 0 || to < from {
		f.last = a
		return session.Answer(session.CodeNoMatch, "the span is not in the file; read it again")
	}
	out := f.Replace(ctx, session.ReplaceArgs{Path: a.Path, OldText: s[from : to+len(a.OldSpanEnd)], NewText: a.NewText})
	f.last = a
	return out
}

func (f *fake) Append(_ context.Context, a session.AppendArgs) session.Outcome {
	f.last = a
	s := f.proposed(a.Path)
	f.staged = append(f.staged, staged{a.Path, s, s + a.Text})
	return f.pending()
}

func (f *fake) Write(_ context.Context, a session.WriteArgs) session.Outcome {
	f.last = a
	f.staged = append(f.staged, staged{a.Path, f.proposed(a.Path), a.Content})
	return f.pending()
}

func (f *fake) Preview(_ context.Context, a session.PreviewArgs) session.Outcome {
	f.last = a
	return session.Outcome{Status: session.StatusOK, Preview: fmt.Sprintf("%d changes", len(f.staged))}
}

func (f *fake) Drop(_ context.Context, a session.DropArgs) session.Outcome {
	f.last = a
	i := int(a.ChangeID[0] - 'A')
	if i < 0 || i >= len(f.staged) {
		return session.Refused(session.CodeBadArguments, "there is no such change; memo_preview shows them")
	}
	f.staged = slices.Delete(f.staged, i, i+1)
	return f.pending()
}

func (f *fake) Commit(_ context.Context, a session.CommitArgs) session.Outcome {
	f.last = a
	out := session.Outcome{
		Status: session.StatusCommitted, Summary: a.Summary, AppliedChanges: new(len(f.staged)), Files: []session.File{},
		Decisions: []session.Decision{}, HistoryDelta: &session.HistoryDelta{MessagesRemoved: 2},
	}
	for i, c := range f.staged {
		f.files[c.path] = strings.Replace(f.files[c.path], c.old, c.new, 1)
		out.Files = append(out.Files, session.Paths(c.path)...)
		out.Decisions = append(out.Decisions, session.Decision{ChangeID: string(rune('A' + i)), State: "applied"})
	}
	f.staged, f.edits = nil, f.edits+1
	return out
}

func (f *fake) CommitAuto(ctx context.Context) session.Outcome {
	out := f.Commit(ctx, session.CommitArgs{Summary: "made from the changes"})
	f.last = nil
	return out
}

func (f *fake) Revert(_ context.Context, a session.RevertArgs) session.Outcome {
	f.last, f.staged = a, nil
	return session.Outcome{Status: session.StatusReverted}
}

func (f *fake) ExportSession(_ context.Context, a session.ExportArgs) session.Outcome {
	f.last = a
	return session.Outcome{Status: session.StatusOK, Text: new("log")}
}

func (f *fake) ExportDiff(_ context.Context, a session.ExportArgs) session.Outcome {
	f.last = a
	return session.Outcome{Status: session.StatusOK, Text: new("diff")}
}

func (f *fake) BeginTask(_ context.Context, a session.BeginTaskArgs) session.Outcome {
	f.last = a
	f.tasks = append(f.tasks, a.Goal)
	return session.Outcome{Status: session.StatusOK, Task: &session.TaskState{ID: fmt.Sprint(len(f.tasks)), State: "active", Goal: a.Goal}}
}

func (f *fake) UpdateTask(_ context.Context, a session.UpdateTaskArgs) session.Outcome {
	f.last = a
	n, ok := session.TaskNumber(a.TaskID)
	if !ok || n > len(f.tasks) {
		return session.Refused(session.CodeBadArguments, "there is no such task")
	}
	return session.Outcome{Status: session.StatusOK, Task: &session.TaskState{ID: fmt.Sprint(n), State: a.State}}
}

func (f *fake) ListFiles(_ context.Context, a session.ListArgs) session.Outcome {
	f.last = a
	return session.Outcome{Status: session.StatusOK, Files: session.Paths("a.txt", "b.go"), Total: new(2)}
}

func (f *fake) RunCommand(_ context.Context, a session.CommandArgs) session.Outcome {
	f.last = a
	return session.Outcome{Status: session.StatusOK, ExitCode: new(0), Output: new("ran " + a.Command), ChangedFiles: []session.ChangedFile{}}
}

func (f *fake) Commands() bool { return !f.noCommands }

func (f *fake) Saw(string, session.Outcome) {}

func (f *fake) Mask(text string) string {
	return strings.ReplaceAll(text, "hunter2hunter2", "[secret]")
}

func (f *fake) SearchText(_ context.Context, a session.SearchArgs) session.Outcome {
	f.last = a
	return session.Outcome{Status: session.StatusOK, Matches: []session.TextMatch{}, Total: new(0)}
}
