package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/galley-ls/galley/memory"
)

// Four reads at once take little more than one would on a processor of its own: the aim is 2.2 times one, on two
// processors.
func BenchmarkReadsSideBySide(b *testing.B) {
	s := opened(b)
	if err := os.WriteFile(filepath.Join(s.Workspace(), "long.txt"), []byte(strings.Repeat("a line of the text that is read\n", 60_000)), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 4} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				var wait sync.WaitGroup
				for range n {
					wait.Go(func() {
						Run(b.Context(), s, memory.ToolCall{Name: "search_text", Arguments: `{"pattern":"no such text"}`})
					})
				}
				wait.Wait()
			}
			if n == 4 {
				b.ReportMetric(2.2, "aim-times-one")
			}
		})
	}
}
