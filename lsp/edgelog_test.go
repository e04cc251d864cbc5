package lsp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/galley-ls/galley/editing"
)

// U61: a log at info shows what happened: who connected, what was commanded, what became of letters; and no text of anybody.
func TestU61TheLogShowsWhatHappened(t *testing.T) {
	core, seen := observer.New(zap.InfoLevel)
	wake := make(chan struct{}, 1)
	log := zap.New(core, zap.Hooks(func(zapcore.Entry) error {
		select {
		case wake <- struct{}{}:
		default:
		}
		return nil
	}))
	told := func() string {
		var out strings.Builder
		for _, e := range seen.All() {
			out.WriteString(e.Message)
			for _, f := range e.Context {
				fmt.Fprintf(&out, " %s=%v", f.Key, f.String)
			}
			out.WriteString("\n")
		}
		return out.String()
	}
	says := func(want string) {
		t.Helper()
		for limit := time.After(generous); !strings.Contains(told(), want); {
			select {
			case <-wake:
			case <-limit:
				t.Fatalf("it does not say %q:\n%s", want, told())
			}
		}
	}

	host := newFakeHost()
	w := dial(t, dialOptions{host: host, caps: applies, name: "helix", cfg: Config{Log: log}})
	says("a client connected name=helix")
	p := newPad(w)
	p.open("a.txt", "one secret line\na\n", 0)
	if r := host.stage("a.txt", "one", "ONE"); !r.OK() {
		t.Fatal(r)
	}
	says("a change is staged letter=A")
	w.command(cmdApply, `"A"`)
	says("a command command=galley.apply")
	says("a change is applied letter=A")
	p.set("a.txt", "one secret line\na\n") // undo
	w.awaitChange("A", editing.Staged)
	p.set("a.txt", "two typed line\na\n")
	says("a change is conflict letter=A")
	w.command(cmdApply, `"A"`)
	says("refused=refused state")
	w.command(cmdReject, `{"change":"A","reason":"a secret reason"}`)
	says("a change is rejected letter=A")
	for _, text := range []string{"secret", "typed"} {
		if strings.Contains(told(), text) {
			t.Errorf("it holds %q:\n%s", text, told())
		}
	}
}
