package run

import (
	"os"
	"strings"
	"testing"
)

func TestInterruptsAreCounted(t *testing.T) {
	for n, want := range []string{"", "first ", "first second ", "first second "} {
		signals, over := make(chan os.Signal, n), make(chan struct{})
		for range n {
			signals <- os.Interrupt
		}
		var heard strings.Builder
		calls := []func(){}
		for i, name := range []string{"first ", "second "} {
			calls = append(calls, func() {
				heard.WriteString(name)
				if i+1 == n {
					close(over)
				}
			})
		}
		if n == 0 {
			close(over)
		}
		callInTurn(signals, over, calls...)
		if heard.String() != want {
			t.Errorf("%d signals: heard %q, want %q", n, heard.String(), want)
		}
	}
}
