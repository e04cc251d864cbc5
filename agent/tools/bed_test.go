package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

const secret = "hunter2hunter2"

// opened is a session in a workspace with some files, which commits by itself and may run commands.
func opened(t testing.TB, change ...func(*session.Config)) *session.Session {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"a.txt": "one\ntwo\none\n", "b.go": "x <- y && z > 1\n", "key.txt": "key = " + secret + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := session.Config{Home: t.TempDir(), Workspace: dir, Review: editing.Auto, Commands: session.CommandsAllow, Secrets: []string{secret}}
	for _, c := range change {
		c(&cfg)
	}
	s, err := session.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// call runs a tool, and journals its answer.
func call(t testing.TB, s *session.Session, name, arguments string) Outcome {
	t.Helper()
	c := memory.ToolCall{ID: "c1", Name: name, Arguments: arguments}
	o := Run(t.Context(), s, c)
	if o.Status == "" {
		t.Fatalf("%s(%s) answers %s", name, arguments, o.JSON())
	}
	_ = s.Answer(c, o.JSON()) // nobody has asked for it
	return o
}

// decoded are arguments as a tool gets them.
func decoded[A any](t testing.TB, name, arguments string) (args A) {
	t.Helper()
	tool, ok := Find(name)
	if !ok {
		t.Fatalf("no tool %s", name)
	}
	values, problem := parse(arguments)
	if problem == "" {
		problem = tool.check.decode(arguments, &args)
	}
	if problem != "" {
		t.Fatalf("%s(%s), read as %v: %s", name, arguments, values, problem)
	}
	return args
}
