package lsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// longer is a review whose letter D brings a hundred lines.
func longer(t *testing.T, caps string) (*wire, *pad) {
	w, p := review(t, caps, 0)
	var sb strings.Builder
	for i := range 100 {
		fmt.Fprintf(&sb, "line %02d\n", i)
	}
	if r := w.host.stage("a.txt", "a\n", "a\n"+sb.String()); !r.OK() {
		t.Fatal(r)
	}
	return w, p
}

const leftOut = `… 40 more lines, 40 of them new (280 chars)`

func TestU70DiagnosticsAndHoversSayWhatIsMissing(t *testing.T) {
	w, _ := longer(t, literals)
	w.awaitMessage("textDocument/publishDiagnostics", has(`+line 59\n`+leftOut+`"`))
	m := w.call("textDocument/hover", `{"textDocument":{"uri":"file:///ws/a.txt"},"position":{"line":1,"character":1}}`)
	if !strings.Contains(string(m.Result), `+line 59\n… 41 more lines, 40 of them new (280 chars)\n`) && !strings.Contains(string(m.Result), `+line 59\n`+leftOut) {
		t.Errorf("%s", m.Result)
	}
}

// U68: all never takes what is not shown; what takes it says so.
func TestU68ApplyAllLeavesWhatIsNotShown(t *testing.T) {
	w, _ := longer(t, literals)
	const note = ": 40 lines (280 chars) not shown"
	if got := strings.Join(w.actions("a.txt", at(1, 0, 1, 0), ""), "|"); !strings.Contains(got, "Apply D"+note+"|") || !strings.Contains(got, "): not all is shown of D|") {
		t.Errorf("the actions are %s", got)
	}
	if m := w.call("textDocument/codeLens", `{"textDocument":{"uri":"file:///ws/a.txt"}}`); !strings.Contains(string(m.Result), "D: Apply"+note) {
		t.Errorf("the lenses are %s", m.Result)
	}
	all := `{"uri":"file:///ws/a.txt"}`
	if m := w.command(cmdApply, all); m.Error != nil || strings.Contains(string(m.Result), `"D"`) {
		t.Fatalf("%+v", m)
	}
	w.awaitMessage("window/showMessage", has("D still waits"+note))
	w.awaitChange("A", editing.Applied)
	w.awaitChange("D", editing.Staged)
	if m := w.command(cmdApply, all); m.Error == nil || !strings.Contains(string(m.Error.Data), codeNotShown) {
		t.Errorf("%+v", m)
	}
	if m := w.command(cmdApply, `"D"`); m.Error != nil {
		t.Errorf("%+v", m.Error)
	}
	w.awaitChange("D", editing.Applied)
}

// U68: a commit takes nothing that was not shown, unless the user had it shown whole since it was staged.
func TestU68CommitWantsAllShown(t *testing.T) {
	for name, look := range map[string]func(t *testing.T, w *wire){
		"preview of the letter": func(t *testing.T, w *wire) { w.command(cmdPreview, `{"change":"D","format":"diff"}`) },
		"preview of the edit":   func(t *testing.T, w *wire) { w.command(cmdPreview, `{"edit":1,"format":"full"}`) },
		"document of the letter": func(t *testing.T, w *wire) {
			w.call("workspace/textDocumentContent", `{"uri":"galley:/sessions/`+w.host.Current()+`/changes/1/D.diff"}`)
		},
		"document of the edit": func(t *testing.T, w *wire) {
			w.call("workspace/textDocumentContent", `{"uri":"galley:/sessions/current/changes/1.diff"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := longer(t, literals)
			for _, seen := range []string{"nothing", "another letter"} {
				m := w.command(cmdCommit, `{}`)
				if m.Error == nil || !strings.Contains(string(m.Error.Data), codeNotShown) || !strings.Contains(m.Error.Message, "D still waits: 40 lines (280 chars) not shown") {
					t.Fatalf("after %s was seen: %+v", seen, m)
				}
				w.command(cmdPreview, `{"change":"A","format":"diff"}`)
			}
			w.awaitChange("A", editing.Staged)
			look(t, w)
			if r := w.host.stage("a.txt", "line 99\n", "line 99\nline 100\n"); !r.OK() {
				t.Fatal(r)
			}
			if m := w.command(cmdCommit, `{}`); m.Error == nil {
				t.Fatalf("what came after was not seen: %+v", m)
			}
			look(t, w)
			if m := w.command(cmdCommit, `{}`); m.Error != nil || !strings.Contains(string(m.Result), `{"change_id":"D","state":"appl`) {
				t.Fatalf("%+v", m)
			}
		})
	}
}

// A client that draws all lines is shown them.
func TestU68ApplyAllOfADrawingClient(t *testing.T) {
	w, _ := longer(t, strings.Replace(applies, `"general"`, `"experimental":{"galley":{"draws":true}},"general"`, 1))
	if m := w.command(cmdApply, `{"uri":"file:///ws/a.txt"}`); m.Error != nil || !strings.Contains(string(m.Result), `"D"`) {
		t.Fatalf("%+v", m)
	}
	w.awaitChange("D", editing.Applied)
}

func TestU71ShownCommand(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...": "go test ./...",
		"rm -rf X #" + strings.Repeat("\n", 38) + "echo harmless": "rm -rf X #↵\n⟦37 empty lines⟧↵\necho harmless\n\nIt begins with: rm -rf X #",
		"rm -rf X;" + strings.Repeat(" ", 700) + "ls":             "rm -rf X;⟦700 blanks⟧ls",
		"rm -rf X" + strings.Repeat("\n# fine", 9):                "rm -rf X" + strings.Repeat("↵\n# fine", 9) + "\n\nIt begins with: rm -rf X",
		"echo ❤️ a\uFE0F\u3164":                                   "echo ❤️ a<U+FE0F><U+3164>",
	} {
		if got := shownCommand(command); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}
