package lsptest

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Each row is one message of a server that is not right, and a part of what is said about it; "" if it is right.
func TestConform(t *testing.T) {
	at := func(line, from, to int) map[string]any {
		return map[string]any{
			"start": map[string]any{"line": line, "character": from}, "end": map[string]any{"line": line, "character": to},
		}
	}
	publish := func(extra map[string]any, diagnostic map[string]any) map[string]any {
		d := map[string]any{"range": at(0, 0, 1), "message": "m"}
		maps.Copy(d, diagnostic)
		params := map[string]any{"uri": doc, "diagnostics": []any{d}}
		maps.Copy(params, extra)
		return note("textDocument/publishDiagnostics", params)
	}
	edit := func(uri string, version any, ranges ...map[string]any) map[string]any {
		edits := []any{}
		for _, r := range ranges {
			edits = append(edits, map[string]any{"range": r, "newText": "x"})
		}
		return ask("1", "workspace/applyEdit", map[string]any{"edit": map[string]any{"documentChanges": []any{
			map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "edits": edits},
		}}})
	}
	register := func(method string, options any) map[string]any {
		return ask("1", "client/registerCapability", map[string]any{"registrations": []any{
			map[string]any{"id": "r", "method": method, "registerOptions": options},
		}})
	}
	progress := func(kind string) map[string]any {
		return note("$/progress", map[string]any{"token": "t", "value": map[string]any{"kind": kind, "title": "x"}})
	}
	watchers := map[string]any{"watchers": []any{map[string]any{"globPattern": "**"}}}
	create := ask("9", "window/workDoneProgress/create", map[string]any{"token": "t"})
	for name, c := range map[string]struct {
		profile Profile
		want    string
		send    []any
	}{
		"fine":                   {VSCode(), "", []any{publish(nil, map[string]any{"data": 1, "code": "A", "source": "galley"})}},
		"unknown method":         {VSCode(), "nothing that a server may send", []any{note("galley/other", map[string]any{})}},
		"client's method":        {VSCode(), "nothing that a server may send", []any{note("textDocument/didOpen", map[string]any{})}},
		"not offered":            {Helix(), "did not offer workspace.codeLens.refreshSupport", []any{ask("1", "workspace/codeLens/refresh", nil)}},
		"offered":                {VSCode(), "", []any{ask("1", "workspace/codeLens/refresh", nil)}},
		"false is not offered":   {Helix(), "did not offer workspace.inlayHint.refreshSupport", []any{ask("1", "workspace/inlayHint/refresh", nil)}},
		"galley without plugin":  {VSCode(), "did not offer experimental.galley.notifications", []any{note("galley/memory", map[string]any{"session": "s", "path": "p", "size": 1, "hash": "h"})}},
		"galley misspelt":        {VSCode().Galley(false), "params.sesion: is not in the protocol", []any{note("galley/memory", map[string]any{"session": "s", "path": "p", "size": 1, "hash": "h", "sesion": 1})}},
		"missing property":       {VSCode(), "params.message: is missing", []any{note("window/showMessage", map[string]any{"type": 1})}},
		"wrong type":             {VSCode(), "want string", []any{note("window/showMessage", map[string]any{"type": 1, "message": 2})}},
		"no such value":          {VSCode(), "is no MessageType", []any{note("window/showMessage", map[string]any{"type": 9, "message": ""})}},
		"negative":               {VSCode(), "want uinteger", []any{publish(nil, map[string]any{"range": at(-1, 0, 0)})}},
		"null for a list":        {VSCode(), "want an array", []any{publish(map[string]any{"diagnostics": nil}, nil)}},
		"version not offered":    {VSCode(), "did not offer textDocument.publishDiagnostics.versionSupport", []any{publish(map[string]any{"version": 1}, nil)}},
		"version":                {Helix(), "", []any{publish(map[string]any{"version": 0}, nil)}},
		"version of the future":  {Helix(), "was told only 0", []any{publish(map[string]any{"version": 1}, nil)}},
		"data not offered":       {Helix(), "did not offer textDocument.publishDiagnostics.dataSupport", []any{publish(nil, map[string]any{"data": 1})}},
		"range outside":          {Helix(), "is not in file:///w/doc.txt", []any{publish(map[string]any{"version": 0}, map[string]any{"range": at(0, 0, 99)})}},
		"inside a character":     {Helix(), "is not in file:///w/doc.txt", []any{publish(map[string]any{"version": 0}, map[string]any{"range": at(1, 0, 2)})}},
		"edit":                   {Neovim012(), "", []any{edit(doc, 0, at(0, 0, 1), at(0, 1, 2))}},
		"edit without version":   {Helix(), "without a version", []any{edit(doc, nil, at(0, 0, 1))}},
		"edits overlap":          {Helix(), "overlap", []any{edit(doc, 0, at(0, 0, 2), at(0, 1, 2))}},
		"documentChanges":        {Plain().Without("workspace.workspaceEdit"), "neither documentChanges nor resourceOperations", []any{edit(doc, 1, at(0, 0, 1))}},
		"plain changes":          {Helix(), "without a version", []any{ask("1", "workspace/applyEdit", map[string]any{"edit": map[string]any{"changes": map[string]any{doc: []any{}}}})}},
		"registration":           {Emacs(), "", []any{register("workspace/didChangeWatchedFiles", watchers)}},
		"registration refused":   {Neovim012(), "did not offer workspace.didChangeWatchedFiles.dynamicRegistration", []any{register("workspace/didChangeWatchedFiles", watchers)}},
		"registration's options": {Emacs(), "registerOptions.watchers: is missing", []any{register("workspace/didChangeWatchedFiles", map[string]any{})}},
		"progress":               {Helix(), "", []any{create, progress("begin"), note("$/progress", map[string]any{"token": "t", "value": map[string]any{"kind": "end"}})}},
		"progress of nobody":     {Helix(), "which nobody made", []any{progress("begin")}},
		"progress twice":         {Helix(), `begin after "begin"`, []any{create, progress("begin"), progress("begin")}},
		"id used twice":          {Helix(), "used twice", []any{ask("1", "window/showMessageRequest", map[string]any{"type": 1, "message": ""}), ask("1", "window/workDoneProgress/create", map[string]any{"token": "t"})}},
		"answer to nothing":      {Helix(), "no open request", []any{map[string]any{"jsonrpc": "2.0", "id": 99, "result": nil}}},
		"jsonrpc":                {Helix(), "jsonrpc is", []any{map[string]any{"method": "window/logMessage", "params": map[string]any{"type": 1, "message": ""}}}},
	} {
		t.Run(name, func(t *testing.T) {
			e := dial(t, c.profile)
			e.OpenText(doc, "abc\n😀\n")
			for i, m := range c.send {
				if object := m.(map[string]any); object["params"] == nil {
					delete(object, "params")
					c.send[i] = object
				}
			}
			send(t, e, c.send...)
			bad := e.Violations()
			if c.want == "" && len(bad) > 0 || c.want != "" && !slices.ContainsFunc(bad, func(s string) bool { return strings.Contains(s, c.want) }) {
				t.Errorf("violations %q, want %q", bad, c.want)
			}
		})
	}
}

// What the server answers is checked too.
func TestConformOfAnswers(t *testing.T) {
	action := func(a map[string]any) any { return []any{a} }
	command := map[string]any{"title": "x", "command": "send"}
	for name, c := range map[string]struct {
		profile Profile
		method  string
		result  any
		want    string
	}{
		"command":       {VSCode(), "textDocument/codeAction", action(map[string]any{"title": "x", "command": command}), ""},
		"other command": {VSCode(), "textDocument/codeAction", action(map[string]any{"title": "x", "command": "other"}), "not in executeCommandProvider"},
		"literal":       {Plain(), "textDocument/codeAction", action(map[string]any{"title": "x", "command": command}), "codeActionLiteralSupport"},
		"edit":          {VSCode(), "textDocument/codeAction", action(map[string]any{"title": "x", "edit": map[string]any{}}), "carries an edit"},
		"markdown":      {Emacs(), "textDocument/hover", map[string]any{"contents": map[string]any{"kind": "markdown", "value": ""}}, "hover in markdown"},
		"plain text":    {Emacs(), "textDocument/hover", map[string]any{"contents": map[string]any{"kind": "plaintext", "value": ""}}, ""},
		"encoding":      {Neovim010(), "initialize", map[string]any{"capabilities": map[string]any{"positionEncoding": "utf-8"}}, "took position encoding utf-8"},
		"wrong shape":   {VSCode(), "textDocument/codeLens", []any{map[string]any{}}, "result[0].range: is missing"},
		"null":          {VSCode(), "textDocument/hover", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			k := newChecker(c.profile)
			k.commands = []string{"send"}
			k.sent(Message{ID: []byte("1"), Method: c.method})
			result := encode(c.result)
			if result == nil {
				result = []byte("null")
			}
			k.message(nil, nil, Message{JSONRPC: "2.0", ID: []byte("1"), Result: result})
			got := strings.Join(k.violations, "\n")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("violations %q, want %q", got, c.want)
			}
		})
	}
}

// The table of what a server may send names no method that the model does not know, and each profile's capabilities
// are capabilities.
func TestTablesFitTheModel(t *testing.T) {
	m := theModel()
	for name, need := range clientNeeds {
		known, ok := m.requests[name]
		if !ok {
			known, ok = m.notifications[name]
		}
		if !ok || known.Direction == "clientToServer" {
			t.Errorf("%s is nothing that a server may send", name)
		}
		if need != "" && known.Client != "" && !strings.HasPrefix(need, known.Client) {
			t.Errorf("%s needs %s, the model says %s", name, need, known.Client)
		}
	}
	for _, p := range append(All(), Plain()) {
		tree, err := decode(encode(p.Capabilities.Tree()))
		if err != nil {
			t.Fatal(err)
		}
		if bad := m.fitsNamed("capabilities", "ClientCapabilities", tree); bad != nil {
			t.Errorf("%s %s: %s", p.Name, p.Version, bad)
		}
	}
}
