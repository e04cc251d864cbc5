package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// program builds the real binary.
func program(b *testing.B) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "galley")
	if out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return name
}

// started is the real binary, initialized.
func started(b *testing.B, name string) (*lsptest.Editor, *exec.Cmd) {
	b.Helper()
	cmd := exec.Command(name, "serve", "--workspace", b.TempDir())
	cmd.Env = append(os.Environ(), "GALLEY_HOME="+b.TempDir(), "HOME="+b.TempDir(), "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	e, err := lsptest.Start(cmd, lsptest.VSCode())
	if err != nil {
		b.Fatal(err)
	}
	if err := e.Initialize(context.Background(), lsptest.Init{}); err != nil {
		b.Fatal(err)
	}
	return e, cmd
}

// From the start of the process to the answer to initialize.
func BenchmarkServeInitialize(b *testing.B) {
	name := program(b)
	for b.Loop() {
		e, _ := started(b, name)
		b.StopTimer()
		if err := e.Exit(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(30, "aim-ms")
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
}

// besideHost starts the host of a workspace with an editor that stays, and answers what runs the binary there.
func besideHost(b *testing.B) (command func(words ...string) *exec.Cmd) {
	b.Helper()
	name, dir, home := program(b), b.TempDir(), b.TempDir()
	command = func(words ...string) *exec.Cmd {
		cmd := exec.Command(name, words...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GALLEY_HOST=", "GALLEY_HOME="+home, "HOME="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
		return cmd
	}
	stays := attached(b, command("serve"))
	b.Cleanup(func() { _ = stays.Exit(context.Background()) })
	return command
}

func attached(b *testing.B, cmd *exec.Cmd) *lsptest.Editor {
	b.Helper()
	e, err := lsptest.Start(cmd, lsptest.VSCode())
	if err == nil {
		err = e.Initialize(context.Background(), lsptest.Init{Root: cmd.Dir})
	}
	if err != nil {
		b.Fatal(err)
	}
	return e
}

// From the start of the process of a second client to the host's answer to its initialize.
func BenchmarkAttach(b *testing.B) {
	command := besideHost(b)
	for b.Loop() {
		e := attached(b, command("serve"))
		b.StopTimer()
		if err := e.Exit(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(20, "aim-ms")
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
}

// A short command of a terminal beside a host, as a whole process.
func BenchmarkShortCommand(b *testing.B) {
	command := besideHost(b)
	for b.Loop() {
		if out, err := command("tool", "list_files", "{}").CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	b.ReportMetric(30, "aim-ms")
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
}

// What the process holds when it has been initialized and idles.
func BenchmarkServeIdleMemory(b *testing.B) {
	name := program(b)
	most := 0
	for b.Loop() {
		e, cmd := started(b, name)
		if err := e.Request(context.Background(), "workspace/executeCommand", map[string]any{"command": "galley.changes"}, nil); err != nil {
			b.Fatal(err)
		}
		most = max(most, resident(b, cmd.Process.Pid))
		if err := e.Exit(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(30, "aim-MB")
	b.ReportMetric(float64(most)/1024, "MB")
}

// resident is the memory of a process in KB, as Linux counts it.
func resident(b *testing.B, pid int) int {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				b.Fatal(err)
			}
			return kb
		}
	}
	b.Fatal("no VmRSS")
	return 0
}

const allLetters = 26

// full is a wire with 26 changes, spread evenly over files.
func full(b *testing.B, p lsptest.Profile, files int) *wire {
	b.Helper()
	w := newWire(b, p, wireOptions{files: contents(files)})
	restage(b, w, files)
	return w
}

func restage(b testing.TB, w *wire, files int) {
	b.Helper()
	var calls []string
	for i := range allLetters {
		line := fmt.Sprintf("line %d", i/files)
		calls = append(calls, replace(fmt.Sprintf("f%d.txt", i%files), line+" of", line+" changed of"))
	}
	w.ask(b, calls...)
}

func contents(files int) map[string]string {
	out := map[string]string{}
	for i := range files {
		var text strings.Builder
		for line := range 100 {
			fmt.Fprintf(&text, "line %d of the file\n", line)
		}
		out[fmt.Sprintf("f%d.txt", i)] = text.String()
	}
	return out
}

// From a key to the diagnostics that show 26 changes at their new places.
func BenchmarkWireKeystroke(b *testing.B) {
	w := full(b, lsptest.Helix(), 1)
	w.open(b, "f0.txt")
	uri := w.uri("f0.txt")
	for b.Loop() {
		w.Type(uri, lsptest.Offset(0), "x")
		want := w.Buffer(uri).Version
		w.Await(b, "published", func(s *lsptest.Screen) bool {
			p := s.Diagnostics[uri]
			return p.Version != nil && *p.Version == want && len(p.Items) == allLetters
		})
	}
	b.ReportMetric(5, "aim-ms")
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
	w.close(b)
}

// From the command to the applied change: the diagnostics do not show it any more. Undo brings it back.
func BenchmarkWireApply(b *testing.B) {
	w := full(b, lsptest.Helix(), 1)
	w.open(b, "f0.txt")
	uri := w.uri("f0.txt")
	shows := func(n int) {
		w.Await(b, "shown", func(s *lsptest.Screen) bool { return len(s.Codes(uri)) == n })
	}
	shows(allLetters)
	for b.Loop() {
		w.command(b, "galley.apply", "A")
		shows(allLetters - 1)
		b.StopTimer()
		w.Undo(uri)
		shows(allLetters)
		b.StartTimer()
	}
	b.ReportMetric(5, "aim-ms")
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
	w.close(b)
}

// 26 changes over 10 closed files, with every fsync; the aim is for without.
func BenchmarkWireCommit(b *testing.B) {
	w := full(b, lsptest.Plain(), 10)
	for b.Loop() {
		w.command(b, "galley.commit")
		b.StopTimer()
		for name, content := range contents(10) {
			w.write(b, name, content)
		}
		restage(b, w, 10)
		b.StartTimer()
	}
	b.ReportMetric(50, "aim-ms")
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
	w.close(b)
}
