package agent_test

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/openai/openaitest"
)

// A run of 100 iterations leaves nothing behind, neither goroutines nor memory: the heap is as it was after a short one.
func TestLongRunsLeakNothing(t *testing.T) { ways(t, longRunsLeakNothing) }

func longRunsLeakNothing(t *testing.T, far bool) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the server keeps all requests, and only the end counts
	t.Run("what is made once", func(t *testing.T) { iterations(t, far, 10) })
	heap, goroutines := leftOver()
	t.Run("a long run", func(t *testing.T) { iterations(t, far, agent.DefaultMaxIterations) })
	h, g := leftOver()
	if h > heap+1<<20 {
		t.Errorf("the heap grew from %d to %d kB", heap>>10, h>>10)
	}
	if g > goroutines {
		t.Errorf("there are %d goroutines, and there were %d", g, goroutines)
	}
}

func leftOver() (heap uint64, goroutines int) {
	runtime.GC()
	runtime.GC() // pools take two
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, runtime.NumGoroutine()
}

// iterations makes a run of n iterations.
func iterations(t *testing.T, far bool, n int) {
	l := newLab(t, openaitest.Script{Loop: true, Replies: []openaitest.Reply{
		{Reasoning: "Hm.", Text: "I look.", Calls: []openaitest.Call{look()}},
		{Calls: []openaitest.Call{look()}, Fault: "http_503"},
		{Text: "Once more.", Calls: []openaitest.Call{look()}, Fault: "cut_middle"},
		{Calls: []openaitest.Call{look()}, Fault: "args_object"},
	}})
	l.most, l.far = n, far
	out, err := l.run(context.Background(), "look at f.txt, again and again")
	if err != nil || out.Reason != agent.Limit || out.Iterations != n {
		t.Fatalf("%+v %v", out, err)
	}
	l.hangUp()
}
