package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// From one didChange to the diagnostics that show it, with 26 changes staged.
func BenchmarkKeystroke(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20} {
		for _, draws := range []bool{false, true} {
			b.Run(fmt.Sprintf("%dKB/draws=%v", size>>10, draws), func(b *testing.B) { keystrokes(b, size, draws) })
		}
	}
}

func keystrokes(b *testing.B, size int, draws bool) {
	caps := `{"general":{"positionEncodings":["utf-8"]},"textDocument":{"publishDiagnostics":{"versionSupport":true}}}`
	method := "textDocument/publishDiagnostics"
	if draws {
		caps = `{"general":{"positionEncodings":["utf-8"]},"experimental":{"galley":{"draws":true,"notifications":true}}}`
		method = methodChanges
	}
	w := dial(b, dialOptions{caps: caps})
	var text strings.Builder
	text.WriteString("\n")
	for i := 0; text.Len() < size; i++ {
		fmt.Fprintf(&text, "line %d of the text\n", i)
	}
	w.open("a.txt", text.String(), 0)
	w.sync()
	for i := range 26 {
		if r := w.host.stage("a.txt", fmt.Sprintf("line %d of", i), fmt.Sprintf("row %d of", i)); !r.OK() {
			b.Fatal(r)
		}
	}
	w.awaitMessage(method, has(`row 25`))
	w.forget()
	b.ReportAllocs()
	version := 0
	for b.Loop() {
		version++
		w.change("a.txt", version, at(0, 0, 0, 0), "x\n"[version%2:version%2+1])
		want := fmt.Sprintf(`"version":%d`, version)
		w.awaitMessage(method, func(p json.RawMessage) bool { return has(want)(p) })
		w.forget()
	}
}

// The changes of one notification, from the last line to the first.
func BenchmarkGrowth(b *testing.B) {
	for _, size := range []int{3000, 6000, 12000} {
		b.Run(fmt.Sprintf("changes-of-a-notification/%d", size), func(b *testing.B) {
			w := dial(b, dialOptions{caps: `{"general":{"positionEncodings":["utf-8"]}}`})
			var all []string
			for i := size - 1; i >= 0; i-- {
				all = append(all, fmt.Sprintf(`{"range":%s,"text":"row"}`, at(i, 0, i, 4)))
			}
			changes := strings.Join(all, ",")
			w.open("a.txt", strings.Repeat("line of the text\n", size), 0)
			w.sync()
			for version := 1; b.Loop(); version++ {
				w.notify("textDocument/didChange", fmt.Sprintf(
					`{"textDocument":{"uri":"file:///ws/a.txt","version":%d},"contentChanges":[%s]}`, version, changes))
				w.sync()
			}
			if size == 12000 {
				b.ReportMetric(300, "aim-ms")
			}
		})
	}
}

func BenchmarkInitialize(b *testing.B) {
	for b.Loop() {
		w := dial(b, dialOptions{caps: applies})
		w.close()
		w.done <- nil
	}
}

func BenchmarkApply(b *testing.B) {
	w := dial(b, dialOptions{caps: applies})
	p := newPad(w)
	p.manner = "first"
	p.open("a.txt", "one\na\n", 0)
	for b.Loop() {
		w.host.stage("a.txt", "one", "two")
		w.command(cmdApply, ``)
		w.awaitState("applied", func(s *editing.Snapshot) bool { d, _ := s.Document("/ws/a.txt"); return d.Base.String() == "two\na\n" })
		b.StopTimer()
		w.command(cmdCommit, ``)
		p.set("a.txt", "one\na\n")
		w.sync()
		w.forget()
		b.StartTimer()
	}
}
