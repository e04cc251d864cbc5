package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

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
	key := lettered(b, size, caps, method)
	b.ReportAllocs()
	for b.Loop() {
		key.press()
	}
}

// keys are those of an editor that keeps a document with 26 letters.
type keys struct {
	*wire
	method  string // that shows them
	version int
}

func lettered(b *testing.B, size int, caps, method string) *keys {
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
	return &keys{w, method, 0}
}

// press types a key and waits until its letters are shown.
func (k *keys) press() {
	k.version++
	k.change("a.txt", k.version, at(0, 0, 0, 0), "x\n"[k.version%2:k.version%2+1])
	want := fmt.Sprintf(`"version":%d`, k.version)
	k.awaitMessage(k.method, func(p json.RawMessage) bool { return has(want)(p) })
	k.forget()
}

// The same with seven others at the host, that show the letters too: within twice that of one alone.
func BenchmarkKeystrokeOf8Clients(b *testing.B) {
	const draws = `{"general":{"positionEncodings":["utf-8"]},"experimental":{"galley":{"draws":true,"notifications":true}}}`
	key := lettered(b, 16<<10, draws, methodChanges)
	const alone = 300
	began := time.Now()
	for range alone {
		key.press()
	}
	one := time.Since(began).Seconds() * 1000 / alone
	for range 7 {
		w := dial(b, dialOptions{host: key.host, caps: draws})
		w.awaitMessage(methodChanges, has(`row 25`))
	}
	for b.Loop() {
		key.press()
	}
	b.ReportMetric(2*one, "aim-ms")
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
