package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

func decodedTitles(t testing.TB, raw json.RawMessage) []string {
	t.Helper()
	var list []struct {
		Title   string
		Kind    string
		Edit    json.RawMessage
		Command any
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range list {
		if a.Edit != nil || a.Command == nil {
			t.Errorf("%s carries an edit, or no command", a.Title)
		}
		out = append(out, a.Title)
	}
	return out
}

const literals = `{"textDocument":{"codeAction":{"codeActionLiteralSupport":{}},"hover":{"contentFormat":["markdown"]},
	"publishDiagnostics":{"versionSupport":true,"dataSupport":true}},
	"workspace":{"applyEdit":true,"workspaceEdit":{"documentChanges":true},"codeLens":{"refreshSupport":true},"inlayHint":{"refreshSupport":true},
	"textDocumentContent":{}},"window":{"showDocument":{"support":true},"workDoneProgress":true,"showMessage":{}},
	"general":{"positionEncodings":["utf-8"]}}`

func (w *wire) actions(name, r, only string) []string {
	w.t.Helper()
	m := w.call("textDocument/codeAction", fmt.Sprintf(
		`{"textDocument":{"uri":"file:///ws/%s"},"range":%s,"context":{"diagnostics":[]%s}}`, name, r, only))
	if m.Error != nil {
		w.t.Fatal(m.Error)
	}
	return decodedTitles(w.t, m.Result)
}

func TestCodeActions(t *testing.T) {
	for _, caps := range []string{literals, applies} {
		w, p := review(t, caps, 0)
		edits := []string{"Commit #1 (3 changes in 3 files)", "Revert #1", "Next change"}
		own := []string{"Apply A", "Reject A", "Preview A"}
		if caps == literals { // it shows files
			own = append(own, "Edit A")
		}
		if got, want := w.actions("a.txt", at(0, 1, 0, 1), ""), append(own, edits...); !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
		if got := w.actions("a.txt", at(1, 0, 1, 0), ""); !slices.Equal(got, edits) {
			t.Errorf("%v", got)
		}
		if got := w.actions("a.txt", at(0, 0, 0, 0), `,"only":["source"]`); !slices.Equal(got, edits) {
			t.Errorf("%v", got)
		}
		if got := w.actions("a.txt", at(0, 0, 0, 0), `,"only":["refactor"]`); len(got) != 0 {
			t.Errorf("%v", got)
		}
		p.set("a.txt", "oneX\na\n# galley: make it better\n")
		if got := w.actions("a.txt", at(0, 0, 0, 0), `,"only":["quickfix"]`); !slices.Equal(got, []string{"Keep mine (A)", "Take the agent's (A)", "Ask again (A)"}) {
			t.Errorf("%v", got)
		}
		if got := w.actions("a.txt", at(2, 0, 2, 0), `,"only":["quickfix"]`); !slices.Equal(got, []string{"Ask galley to make it better"}) {
			t.Errorf("%v", got)
		}
		if got := w.actions("nope.txt", at(0, 0, 0, 0), ""); !slices.Equal(got, edits) {
			t.Errorf("%v", got)
		}
	}
}

func TestAskComments(t *testing.T) {
	for line, want := range map[string]string{
		"// galley: do it":          "do it",
		"  x = 1  # galley:do it ":  "do it",
		"<!-- galley: do it -->":    "do it",
		"/* galley: do it */":       "do it",
		"-- galley: do it":          "do it",
		"see galley: the server":    "",
		"galley: at the very start": "",
		"// galley:":                "",
		"":                          "",
	} {
		if got, ok := askComment(line); got.prompt != want || ok != (want != "") {
			if ok || want != "" {
				t.Errorf("%q: %q %v", line, got.prompt, ok)
			}
		}
	}
}

// U86: the prompt of a comment names the comment, with file, line and text, and says that it goes.
func TestU86PromptsNameTheirComment(t *testing.T) {
	for _, row := range []struct{ line, want string }{
		{"// galley: do it", `delete "// galley: do it\n" in "a.txt"`},
		{"\t# galley: do it  ", `delete "\t# galley: do it  \n" in "a.txt"`},
		{"x = 1  # galley: say \"hi\\n\"", `delete "  # galley: say \"hi\\n\"" in "a.txt"`},
		{"<!-- galley: do it -->", `delete "<!-- galley: do it -->\n" in "a.txt"`},
		{"f(); /* galley: do it */", `delete " /* galley: do it */" in "a.txt"`},
	} {
		host := newFakeHost()
		w := dial(t, dialOptions{host: host, caps: literals})
		w.open("a.txt", "one\n"+row.line+"\ntwo\n", 0)
		m := w.call("textDocument/codeAction", `{"textDocument":{"uri":"file:///ws/a.txt"},"range":`+at(1, 0, 1, 0)+`,"context":{"diagnostics":[]}}`)
		var actions []struct {
			Command struct {
				Arguments []struct{ Prompt, URI string }
			}
		}
		if err := json.Unmarshal(m.Result, &actions); err != nil || len(actions) != 1 {
			t.Fatalf("%s: %v", m.Result, err)
		}
		prompt := actions[0].Command.Arguments[0].Prompt
		asked, _ := askComment(row.line)
		if want := row.want + "\n(that is the comment in a.txt, line 2, which asks:)\n" + asked.prompt; prompt != want {
			t.Errorf("%q:\n%s\nwant\n%s", row.line, prompt, want)
		}
	}
}

func TestCodeLens(t *testing.T) {
	w, _ := review(t, literals, 0)
	m := w.call("textDocument/codeLens", `{"textDocument":{"uri":"file:///ws/a.txt"}}`)
	var lenses []struct {
		Command struct{ Title, Command string }
	}
	if err := json.Unmarshal(m.Result, &lenses); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range lenses {
		got = append(got, l.Command.Title)
	}
	if want := []string{"galley #1: Commit 3", "Revert", "Next", "A: Apply", "Reject", "Preview"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	w.notify("workspace/didChangeConfiguration", `{"settings":{"galley":{"ui":{"code_lens":false,"inlay_hints":false}}}}`)
	if m := w.call("textDocument/codeLens", `{"textDocument":{"uri":"file:///ws/a.txt"}}`); string(m.Result) != "[]" {
		t.Errorf("%s", m.Result)
	}
	if m := w.call("textDocument/inlayHint", `{"textDocument":{"uri":"file:///ws/a.txt"},"range":`+at(0, 0, 9, 0)+`}`); string(m.Result) != "[]" {
		t.Errorf("%s", m.Result)
	}
	w.awaitMessage("workspace/codeLens/refresh", func(json.RawMessage) bool { return true })
}

func TestInlayHint(t *testing.T) {
	w, _ := review(t, literals, 0)
	m := w.call("textDocument/inlayHint", `{"textDocument":{"uri":"file:///ws/a.txt"},"range":`+at(0, 0, 9, 0)+`}`)
	if !strings.Contains(string(m.Result), `" → ONE"`) || !strings.Contains(string(m.Result), `"character":3`) {
		t.Errorf("%s", m.Result)
	}
}

func TestHover(t *testing.T) {
	w, _ := review(t, literals, 0)
	m := w.call("textDocument/hover", `{"textDocument":{"uri":"file:///ws/a.txt"},"position":{"line":0,"character":1}}`)
	for _, part := range []string{"```diff", `-one\n+ONE`, "because", "task 1", "staged", `"kind":"markdown"`} {
		if !strings.Contains(string(m.Result), part) {
			t.Errorf("no %s in %s", part, m.Result)
		}
	}
	if m := w.call("textDocument/hover", `{"textDocument":{"uri":"file:///ws/a.txt"},"position":{"line":1,"character":0}}`); m.Error != nil || string(m.Result) != "null" {
		t.Errorf("%+v", m)
	}
	plain, _ := review(t, applies, 0)
	m = plain.call("textDocument/hover", `{"textDocument":{"uri":"file:///ws/a.txt"},"position":{"line":0,"character":1}}`)
	if strings.Contains(string(m.Result), "```") || !strings.Contains(string(m.Result), "plaintext") {
		t.Errorf("%s", m.Result)
	}
}

func TestVirtualDocuments(t *testing.T) {
	w, p := review(t, literals, 0)
	get := func(name string) message {
		return w.call("workspace/textDocumentContent", `{"uri":"galley:/sessions/`+name+`"}`)
	}
	for name, part := range map[string]string{
		"current/overview.md":              "# Overview",
		agentSession + "/changes/1.diff":   "+THREE",
		agentSession + "/changes/1/B.diff": "+TWO",
		"current/files/a.txt":              `ONE\na`,
	} {
		if m := get(name); m.Error != nil || !strings.Contains(string(m.Result), part) {
			t.Errorf("%s: %+v %s", name, m.Error, m.Result)
		}
	}
	if m := get("current/changes/1/B.diff"); strings.Contains(string(m.Result), "THREE") {
		t.Errorf("%s", m.Result)
	}
	for _, bad := range []string{"current/nope.md", "current/changes/9.diff", "current/files/nope"} {
		if m := get(bad); m.Error == nil || m.Error.Code != -32803 {
			t.Errorf("%s: %+v", bad, m)
		}
	}
	p.set("a.txt", "one\nagain\n")
	w.awaitMessage("workspace/textDocumentContent/refresh", has("files/a.txt"))
	w.host.bump(func() { w.host.docs["overview.md"] = "# New\n" })
	w.awaitMessage("workspace/textDocumentContent/refresh", has("overview.md"))
}

// galley/memory tells of each file of the memory once, again when it changes, and when it goes.
func TestMemoryIsTold(t *testing.T) {
	w := dial(t, dialOptions{caps: `{"experimental":{"galley":{"notifications":true}}}`})
	w.awaitMessage(methodMemory, has(`{"session":"`+agentSession+`","path":"overview.md","size":11,"hash":"h1"}`))
	w.host.bump(func() {
		w.host.memory[0].Hash = "h2"
		w.host.memory = append(w.host.memory, memory.MemoryFile{Path: "detail/x.md", Size: 3, Hash: "h3"})
	})
	w.awaitMessage(methodMemory, has(`"hash":"h2"`))
	w.awaitMessage(methodMemory, has(`"path":"detail/x.md","size":3`))
	w.forget()
	w.host.bump(func() { w.host.memory = w.host.memory[:1] })
	w.awaitMessage(methodMemory, has(`"path":"detail/x.md","size":0,"hash":""`))
	w.sync()
	if n := w.count(methodMemory); n != 1 {
		t.Errorf("%d messages for one file that went", n)
	}
}

func TestMemoryLens(t *testing.T) {
	w := dial(t, dialOptions{caps: literals})
	for name, want := range map[string]bool{"overview.md": true, "detail/x.md": true, "archive/y.md": true, "detail/": false, "tasks.md": false} {
		m := w.call("textDocument/codeLens", `{"textDocument":{"uri":"galley:/sessions/current/`+name+`"}}`)
		if got := strings.Contains(string(m.Result), `"command":"galley.memory","arguments":[{"path":"`+name+`","session":"current"}]`); got != want || m.Error != nil {
			t.Errorf("%s: %s %+v", name, m.Result, m.Error)
		}
	}
}

func TestOutline(t *testing.T) {
	host := newFakeHost()
	host.tree = []tasks.Task{{ID: 1, Goal: "fix it", State: tasks.Active}, {ID: 2, Parent: 1, Goal: "look", State: tasks.Waiting}}
	w := dial(t, dialOptions{host: host, caps: `{"textDocument":{"documentSymbol":{"hierarchicalDocumentSymbolSupport":true}}}`})
	m := w.call("textDocument/documentSymbol", `{"textDocument":{"uri":"galley:/sessions/current/tasks.md"}}`)
	if !strings.Contains(string(m.Result), `"children":[{"name":"look"`) || !strings.Contains(string(m.Result), `"line":1`) {
		t.Errorf("%s", m.Result)
	}
	host.docs["history.md"] = "# History\n\n## 1 · user\n\nwords\n\n## 2 · assistant\n"
	m = w.call("textDocument/documentSymbol", `{"textDocument":{"uri":"galley:/sessions/current/history.md"}}`)
	if !strings.Contains(string(m.Result), `"name":"1 · user"`) || !strings.Contains(string(m.Result), `"name":"2 · assistant"`) {
		t.Errorf("%s", m.Result)
	}
	if m := w.call("textDocument/documentSymbol", `{"textDocument":{"uri":"file:///ws/a.go"}}`); string(m.Result) != "[]" {
		t.Errorf("%s", m.Result)
	}
}

func TestDiagnostics(t *testing.T) {
	w, p := review(t, literals, 0)
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		w.awaitMessage("textDocument/publishDiagnostics", has(name))
	}
	d := w.awaitMessage("textDocument/publishDiagnostics", func(p json.RawMessage) bool { return has("a.txt")(p) && has(`"A"`)(p) })
	for _, part := range []string{
		`"version":0`, `"source":"galley"`, `"code":"A"`, `"severity":3`, `because`, `-one\n+ONE`,
		`"data":{"change":"A","revision":1,"session":"01SESSION","edit":1}`,
	} {
		if !strings.Contains(string(d), part) {
			t.Errorf("no %s in %s", part, d)
		}
	}
	w.forget()
	p.set("a.txt", "zero\none\na\n")
	w.awaitMessage("textDocument/publishDiagnostics", func(p json.RawMessage) bool { return has(`"version":1`)(p) && has(`"line":1`)(p) })
	w.sync()
	if n := w.count("textDocument/publishDiagnostics"); n != 1 {
		t.Errorf("%d messages for one change of one document", n)
	}
	p.set("a.txt", "zero\noneX\na\n")
	w.awaitMessage("textDocument/publishDiagnostics", func(p json.RawMessage) bool { return has(`"severity":2`)(p) && has("in conflict")(p) })
	w.command(cmdReject, `"A"`)
	w.awaitMessage("textDocument/publishDiagnostics", func(p json.RawMessage) bool { return has(`"version":2`)(p) && has(`"diagnostics":[]`)(p) })
}

// A document that nothing rests on any more shows nothing any more.
func TestDiagnosticsOfAFileThatIsDecided(t *testing.T) {
	w, _ := review(t, literals, 0)
	w.awaitMessage("textDocument/publishDiagnostics", func(p json.RawMessage) bool { return has("c.txt")(p) && has(`"C"`)(p) })
	w.forget()
	if m := w.command(cmdRevert, `{"edit":1}`); m.Error != nil {
		t.Fatal(m.Error)
	}
	w.awaitMessage("textDocument/publishDiagnostics", func(p json.RawMessage) bool { return has("c.txt")(p) && has(`"diagnostics":[]`)(p) })
}

func TestDiagnosticsByClient(t *testing.T) {
	severity := func(name, caps, options string) string {
		host := newFakeHost()
		host.file("é.txt", "one\n")
		host.stage("é.txt", "one", "two")
		w := dial(t, dialOptions{host: host, name: name, caps: caps, options: options})
		w.sync()
		if strings.Contains(caps, "draws") || strings.Contains(options, "off") {
			if n := w.count("textDocument/publishDiagnostics"); n != 0 {
				return "some"
			}
			return "none"
		}
		return string(w.awaitMessage("textDocument/publishDiagnostics", has("two")))
	}
	if d := severity("helix", `{}`, `null`); !strings.Contains(d, `"severity":2`) || !strings.Contains(d, "%C3%A9.txt") {
		t.Error(d)
	}
	if d := severity("Eglot", `{}`, `null`); !strings.Contains(d, `"severity":3`) || !strings.Contains(d, "/é.txt") {
		t.Error(d)
	}
	if d := severity("x", `{}`, `{"ui":{"diagnostics":"hint"}}`); !strings.Contains(d, `"severity":4`) {
		t.Error(d)
	}
	if d := severity("x", `{"experimental":{"galley":{"draws":true}}}`, `null`); d != "none" {
		t.Error(d)
	}
	if d := severity("x", `{}`, `{"ui":{"diagnostics":"off"}}`); d != "none" {
		t.Error(d)
	}
}

func TestChangesNotification(t *testing.T) {
	w, p := review(t, saves, 0)
	raw := w.awaitMessage(methodChanges, has(`"C"`))
	var m changesMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	a := m.Files[0].Changes[0]
	if m.Session != agentSession || m.Seq == 0 || len(m.Edits) != 1 || m.Edits[0].Pending != 3 || len(m.Files) != 3 {
		t.Errorf("%s", raw)
	}
	if a.OldText != "one" || a.NewText != "ONE" || len(a.Edits) != 1 || len(a.Hash) != 16 || *m.Files[0].Version != 0 || m.Files[2].Version != nil {
		t.Errorf("%+v", a)
	}
	n := w.count(methodChanges)
	w.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///ws/other.txt","version":1,"text":"x"}}`)
	w.sync()
	if now := w.count(methodChanges); now != n {
		t.Error("a document without changes made a message")
	}
	p.set("a.txt", "oneX\na\n")
	w.awaitMessage(methodChanges, has(`"conflict":{"mine":"oneX\n","agent":"ONE\n","original":"one\n"}`))
	w.command(cmdResolve, `{"change":"A","take":"mine"}`)
	w.awaitMessage(methodChanges, has(`"state":"rejected"`))
	w.awaitMessage(methodTasks, has(`"text":"tree"`))
	w.awaitMessage(methodContext, has(`"tokensUsed":10`))
}

func TestStateCommands(t *testing.T) {
	w, _ := review(t, literals, 0)
	for _, c := range []struct{ cmd, arg, part string }{
		{cmdChanges, ``, `"change":"A"`},
		{cmdChanges, `{"session":"01OTHER"}`, `"files":[]`},
		{cmdTasks, `{}`, `"tree":[]`},
		{cmdContext, `{}`, `"tokensMax":100`},
		{cmdSessions, `{}`, `"current":true`},
		{cmdNewSession, `"a title"`, `"01NEW"`},
		{cmdOpenSession, `{"session":"01X"}`, `"01X"`},
		{cmdMemory, ``, `[{"session":"01X","path":"overview.md","size":11,"hash":"h1"}]`},
		{cmdOpenSession, `"` + agentSession + `"`, agentSession},
		{cmdRename, `{"session":"01X","title":" new name "}`, `"title":"new name"`},
		{cmdDelete, `"01X"`, `"path":"/trash/01X"`},
		{cmdRewind, `{"seq":7}`, `"to":7,"messages":2,"reopened":1,"text":"the conversation is back at entry 7: 2 messages left it, 1 are there again; files, letters`},
		{cmdCompact, ``, `"results_archived":3,"tokens_saved":100,"tokens_before":300,"tokens_after":200`},
		{cmdCompact, `{"target":"tools","keep_recent":2}`, `"tokens_saved":100`},
		{cmdUnfold, ``, `{"compactions":[12],"messages":9,"tokens_before":200,"tokens_after":300,"tokens_percent":0}`},
		{cmdUnfold, `{"seq":7}`, `"compactions":[12,7]`},
		{cmdMemory, ``, `[{"session":"` + agentSession + `","path":"overview.md","size":11,"hash":"h1"}]`},
		{cmdMemory, `"working-memory/detail/x.md"`, `/working-memory/detail/x.md"`},
		{cmdExport, ``, `"text":"diff"`},
		{cmdExport, `{"what":"journal","to":"x"}`, `"path":"x"`},
		{cmdComment, `{"change":"a","text":"hm"}`, `"A"`},
		{cmdSend, ``, `"run":"run-1"`},
		{cmdAsk, `"do something"`, `"run":"run-1"`},
		{cmdAsk, `{"prompt":"do","uri":"file:///ws/a.txt","range":` + at(0, 1, 1, 0) + `}`, agentSession},
		{cmdCancel, `{"run":"run-1"}`, `{}`},
		{cmdPreview, `"B"`, `+TWO`},
		{cmdPreview, `{"edit":1,"format":"stats"}`, `text`},
		{cmdNext, ``, `"change":"A"`},
	} {
		m := w.command(c.cmd, c.arg)
		if m.Error != nil || !strings.Contains(string(m.Result), c.part) {
			t.Errorf("%s %s: %+v %s", c.cmd, c.arg, m.Error, m.Result)
		}
	}
	for _, c := range []struct{ cmd, arg string }{
		{cmdOpenSession, `{"session":"01LOCKED"}`},
		{cmdOpenSession, ``},
		{cmdRename, `{"session":"01X","title":" "}`},
		{cmdDelete, ``},
		{cmdRewind, ``},
		{cmdCompact, `{"target":"everything"}`},
		{cmdUnfold, `{"seq":404}`},
		{cmdMemory, `"tasks.md"`},
		{cmdExport, `{"what":"all"}`},
		{cmdComment, `{"change":"Z","text":"x"}`},
		{cmdComment, `{"change":"A"}`},
		{cmdAsk, ``},
		{cmdApply, `[1]`},
		{cmdApply, `"Z"`},
		{cmdApply, `{"uri":"file:///ws/no.txt"}`},
		{cmdResolve, `{"change":"A","take":"mine"}`},
		{cmdCommit, `{"edit":9}`},
		{"galley.none", ``},
	} {
		if m := w.command(c.cmd, c.arg); m.Error == nil || m.Error.Code != -32803 || !strings.Contains(string(m.Error.Data), `"status"`) {
			t.Errorf("%s %s: %+v %s", c.cmd, c.arg, m.Error, m.Result)
		}
	}
	log := w.host.noted()
	for _, want := range []string{"ask do something . -1--1", "ask do a.txt 1-4", "cancel run-1", "comment A hm", "new a title"} {
		if !slices.Contains(log, want) {
			t.Errorf("no %q in %q", want, log)
		}
	}
}

func TestWalk(t *testing.T) {
	w, _ := review(t, literals, 0)
	for _, c := range []struct{ cmd, arg, want string }{
		{cmdNext, `{"uri":"file:///ws/a.txt","position":{"line":0,"character":0}}`, "B"},
		{cmdNext, `{"uri":"file:///ws/b.txt","position":{"line":1,"character":0}}`, "C"},
		{cmdNext, `{"uri":"file:///ws/c.txt","position":{"line":1,"character":0}}`, "A"},
		{cmdPrevious, `{"uri":"file:///ws/a.txt","position":{"line":0,"character":0}}`, "C"},
		{cmdPrevious, `{"uri":"file:///ws/b.txt","position":{"line":1,"character":0}}`, "B"},
		{cmdPrevious, ``, "C"},
	} {
		m := w.command(c.cmd, c.arg)
		if !strings.Contains(string(m.Result), `"change":"`+c.want+`"`) {
			t.Errorf("%s %s: %s", c.cmd, c.arg, m.Result)
		}
	}
	w.awaitMessage("window/showDocument", has(`"selection"`))
}

func TestPreviewIsShown(t *testing.T) {
	w, _ := review(t, literals, 0)
	w.command(cmdPreview, `"B"`)
	w.awaitMessage("window/showDocument", has("galley:/sessions/01SESSION/changes/1/B.diff"))
	w, _ = review(t, `{"window":{"showDocument":{"support":true}}}`, 0)
	w.command(cmdPreview, `{"edit":1}`)
	w.awaitMessage("window/showDocument", has("/01SESSION/changes-1.diff"))
}

func TestProposal(t *testing.T) {
	propose := func(w *wire) { w.host.ws.Do(editing.Propose(agentSession, 1, "all done", nil)) }
	w, _ := review(t, literals, 0)
	w.on("window/showMessageRequest", func(json.RawMessage) any { return map[string]string{"title": "Review"} })
	propose(w)
	q := w.awaitMessage("window/showMessageRequest", has("all done"))
	if strings.Contains(string(q), "Commit") || !strings.Contains(string(q), `"Review"},{"title":"Later"`) {
		t.Errorf("%s", q)
	}
	w.awaitMessage("window/showDocument", has("changes/1.diff"))
	w, _ = review(t, applies, 0)
	propose(w)
	w.awaitMessage("window/showMessage", has("#1: all done (3 changes in 3 files)"))
}

func TestRunsAreShown(t *testing.T) {
	caps := strings.Replace(literals, `"general"`, `"experimental":{"galley":{"notifications":true}},"general"`, 1)
	w := dial(t, dialOptions{caps: caps})
	run := func(r host.Run) { w.host.bump(func() { w.host.runs = []host.Run{r} }) }
	run(host.Run{ID: "r", Session: agentSession, By: 1, State: host.RunThinking, Step: 1, Text: "hm", Percent: 7})
	w.awaitMessage("$/progress", has(`"kind":"begin"`))
	w.awaitMessage(methodRun, has(`"text":"hm"`))
	run(host.Run{ID: "r", Session: agentSession, By: 1, State: host.RunTool, Step: 2, Tool: "memo_read"})
	w.awaitMessage("$/progress", has(`step 2: memo_read`))
	w.notify("window/workDoneProgress/cancel", `{"token":"galley-run-r"}`)
	run(host.Run{ID: "r", Session: agentSession, By: 1, State: host.RunFailed, Step: 2, Error: "no endpoint"})
	w.awaitMessage("$/progress", has(`"kind":"end"`))
	w.awaitMessage("window/showMessage", has("no endpoint"))
	w.sync()
	if !slices.Contains(w.host.noted(), "cancel r") {
		t.Error(w.host.noted())
	}
}

// U47: a run's calls go out as they were told, and the conversation of an earlier process is there to be asked for.
func TestU47RunsTellTheirCalls(t *testing.T) {
	w := dial(t, dialOptions{caps: strings.Replace(literals, `"general"`, `"experimental":{"galley":{"notifications":true}},"general"`, 1)})
	three := 3
	calls := []host.Call{
		{Tool: "write", Path: "a.txt", Letters: []string{"A"}, Status: "editing", Line: "staged A"},
		{Tool: "run_command", Status: "ok", Code: "exit_code", Exit: &three, Output: "FAIL\n", Line: "exit code 3"},
		{Tool: "read", Line: "read b.txt"},
	}
	told := `"calls":[{"tool":"write","path":"a.txt","letters":["A"],"status":"editing","line":"staged A"},` +
		`{"tool":"run_command","status":"ok","code":"exit_code","exit":3,"output":"FAIL\n","line":"exit code 3"},{"tool":"read","line":"read b.txt"}]`
	w.host.bump(func() {
		w.host.runs = []host.Run{{ID: "r", Session: agentSession, State: host.RunTool, Step: 1, Calls: calls}}
	})
	w.awaitMessage(methodRun, has(told))
	w.host.bump(func() {
		w.host.earlier = []host.Run{
			{ID: "earlier-1", Session: agentSession, State: host.RunDone, Prompt: "go"},
			{ID: "earlier-1", Session: agentSession, State: host.RunDone, Step: 1, Text: "hm", Calls: calls},
		}
	})
	m := w.call("workspace/executeCommand", `{"command":"galley.runs","arguments":[{"session":"`+agentSession+`"}]}`)
	for _, part := range []string{`[{"run":"earlier-1","session":"` + agentSession, `"prompt":"go"`, `"step":1,"text":"hm"`, told} {
		if !strings.Contains(string(m.Result), part) {
			t.Errorf("%s lacks %s", m.Result, part)
		}
	}
}

func TestWatchedFiles(t *testing.T) {
	host := newFakeHost()
	host.file("c.txt", "three\n")
	w := dial(t, dialOptions{host: host, caps: `{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}`})
	host.stage("c.txt", "three", "3")
	w.awaitMessage("client/registerCapability", has(`"globPattern":"/ws/c.txt"`))
	w.notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///ws/c.txt","type":2}]}`)
	w.command(cmdReject, `"A"`)
	w.awaitNoted("changed [/ws/c.txt]")
}

// What a client did not offer is not sent.
func TestNothingUnasked(t *testing.T) {
	w, p := review(t, applies, 0)
	p.set("a.txt", "oneX\na\n")
	w.command(cmdPreview, `"B"`)
	w.command(cmdNext, ``)
	w.host.bump(func() { w.host.runs = []host.Run{{ID: "r", State: host.RunThinking}} })
	w.host.ws.Do(editing.Propose(agentSession, 1, "x", nil))
	w.awaitMessage("window/showMessage", has("proposes"))
	w.sync()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.got {
		switch m.Method {
		case "textDocument/publishDiagnostics", "window/showMessage", "workspace/applyEdit":
		default:
			t.Errorf("%s was sent unasked", m.Method)
		}
	}
}
