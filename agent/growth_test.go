package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// caller is a model that makes n calls of one kind in its first reply, and is done.
type caller struct {
	name, args string // of the calls; args with the number of each
	n          int
	made       bool
}

func (*caller) Name() string { return "caller" }

func (c *caller) Stream(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
	m := memory.Message{Role: memory.RoleAssistant, Content: "done"}
	if !c.made {
		c.made, m.Content = true, ""
		for i := range c.n {
			m.ToolCalls = append(m.ToolCalls, memory.ToolCall{ID: fmt.Sprintf("call%d", i), Name: c.name, Arguments: fmt.Sprintf(c.args, i)})
		}
	}
	return model.Reply{Message: m, Finish: model.FinishStop}, nil
}

// The row of growth that is about one reply: what its calls cost, those that run side
// by side and those that run one after the other.
func BenchmarkGrowth(b *testing.B) {
	for _, row := range []struct{ name, tool, args string }{
		{"reading-calls-in-a-reply", "memo_read", `{"path":"f.txt","start_line":%d}`},
		{"staging-calls-in-a-reply", "memo_append", `{"path":"f.txt","text":"line %d"}`},
	} {
		for _, n := range []int{16, 64, 256} {
			b.Run(fmt.Sprintf("%s/%d", row.name, n), func(b *testing.B) {
				dir := b.TempDir()
				must(b, os.WriteFile(filepath.Join(dir, "f.txt"), []byte(strings.Repeat("a line\n", 256)), 0o600))
				for b.Loop() {
					b.StopTimer()
					s, err := session.Open(session.Config{Home: b.TempDir(), Workspace: dir, Specs: labTools(), Model: "caller"})
					must(b, err)
					b.StartTimer()
					answered := 0
					out, err := agent.Run(b.Context(), agent.RunConfig{
						Session: agent.Local{Session: s}, Model: &caller{name: row.tool, args: row.args, n: n}, Prompt: "go",
						Events: func(e agent.Event) {
							if e.Kind() == "tool_finished" {
								answered++
							}
						},
					})
					must(b, err)
					b.StopTimer()
					if out.Reason != agent.Done || answered != n {
						b.Fatalf("%+v: %d calls of %d are answered", out, answered, n)
					}
					must(b, s.Close())
					b.StartTimer()
				}
			})
		}
	}
}
