package tools

import (
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/galley-ls/galley/memory"
)

const beside = 4

// reader answers a function that searches in a long file, n times at once.
func reader(tb testing.TB) func(n int) time.Duration {
	s := opened(tb)
	if err := os.WriteFile(filepath.Join(s.Workspace(), "long.txt"), []byte(strings.Repeat("a line of the text that is read\n", 60_000)), 0o600); err != nil {
		tb.Fatal(err)
	}
	return func(n int) time.Duration {
		start := time.Now()
		var wait sync.WaitGroup
		for range n {
			wait.Go(func() {
				Run(tb.Context(), s, memory.ToolCall{Name: "search_text", Arguments: `{"pattern":"no such text"}`})
			})
		}
		wait.Wait()
		return time.Since(start)
	}
}

// Four reads at once take little more than one would on a processor of its own: the aim is 2.2 times one, on two
// processors that do nothing else. The fastest of all rounds count.
func BenchmarkReadsSideBySide(b *testing.B) {
	reads := reader(b)
	one, four := time.Hour, time.Hour
	for b.Loop() {
		one, four = min(one, reads(1)), min(four, reads(beside))
	}
	b.ReportMetric(float64(four)/float64(one), "times-one")
	b.ReportMetric(2.2, "aim-times-one")
}

// However loaded the machine is, reads that run beside each other wait for no lock. U30.
func TestReadsWaitForNoLock(t *testing.T) {
	reads, least := reader(t), 1.0
	for range 10 {
		before := waited()
		took := reads(beside).Seconds() * beside
		if least = min(least, (waited()-before)/took); least < 0.05 {
			return
		}
	}
	t.Errorf("of their time, reads side by side wait %.0f%% for each other", 100*least)
}

// waited is how long goroutines have waited for locks so far, in seconds.
func waited() float64 {
	all := []metrics.Sample{{Name: "/sync/mutex/wait/total:seconds"}}
	metrics.Read(all)
	return all[0].Value.Float64()
}
