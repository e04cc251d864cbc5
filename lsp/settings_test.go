package lsp

import (
	"encoding/json"
	"fmt"
	"testing"
)

// readUI is a small reader of settings, as the program has a large one: it knows
// "ui" and "trusted", and complains of everything else.
func readUI(c Client, sent any) (now Settings, wrong []string) {
	now = DefaultSettings()
	for _, said := range []any{c.Options, sent} {
		groups, _ := said.(map[string]any)
		for group, keys := range groups {
			if group != "ui" {
				wrong = append(wrong, fmt.Sprintf("there is no setting %s", group))
				continue
			}
			keys, _ := keys.(map[string]any)
			for key, v := range keys {
				flag := map[string]*bool{"code_lens": &now.CodeLens, "inlay_hints": &now.InlayHints, "icons": &now.Icons}[key]
				word, isWord := v.(string)
				switch on, isFlag := v.(bool); {
				case key == "diagnostics" && isWord:
					now.Diagnostics = word
				case flag != nil && isFlag:
					*flag = on
				default:
					wrong = append(wrong, fmt.Sprintf("ui.%s is %v", key, v))
				}
			}
		}
	}
	return now, wrong
}

// configured hears every reading.
func configured() (func(c Client, sent any) (Settings, []string), chan string) {
	got := make(chan string, 10)
	return func(c Client, sent any) (Settings, []string) {
		now, wrong := readUI(c, sent)
		text, _ := json.Marshal([]any{c.Options, sent})
		got <- string(text)
		return now, wrong
	}, got
}

func awaitRead(t *testing.T, got chan string, want string) {
	t.Helper()
	if read := <-got; read != want {
		t.Errorf("read %s, want %s", read, want)
	}
}

// Settings are read with initialize, and with each word of the client; a
// complaint is made once.
func TestSettings(t *testing.T) {
	configure, got := configured()
	w := dial(t, dialOptions{cfg: Config{Configure: configure}, options: `{"ui":{"icons":7},"x":{}}`})
	awaitRead(t, got, `[{"ui":{"icons":7},"x":{}},null]`)
	w.awaitMessage("window/showMessage", has("ui.icons is 7"))
	w.awaitMessage("window/showMessage", has("there is no setting x"))
	w.notify("workspace/didChangeConfiguration", `{"settings":{"galley":{"ui":{"icon":1}}}}`)
	awaitRead(t, got, `[{"ui":{"icons":7},"x":{}},{"ui":{"icon":1}}]`)
	w.awaitMessage("window/showMessage", has("ui.icon is 1"))
	w.notify("workspace/didChangeConfiguration", `{"settings":{"ui":{"icons":false}}}`)
	awaitRead(t, got, `[{"ui":{"icons":7},"x":{}},{"ui":{"icons":false}}]`)
	w.sync()
	if n := w.count("window/showMessage"); n != 3 {
		t.Errorf("%d complaints:\n%s", n, w.dump())
	}
}

// When other settings change, the client's are read with them once more.
func TestSettingsElsewhereChange(t *testing.T) {
	configure, got := configured()
	changed := make(chan struct{})
	w := dial(t, dialOptions{cfg: Config{Configure: configure, Changed: changed}, options: `{"ui":{"icons":false}}`})
	awaitRead(t, got, `[{"ui":{"icons":false}},null]`)
	w.sync()
	changed <- struct{}{}
	awaitRead(t, got, `[{"ui":{"icons":false}},null]`)
	close(changed)
	w.sync()
	if n := w.count("window/showMessage"); n != 0 {
		t.Errorf("%d complaints:\n%s", n, w.dump())
	}
}

// Settings take effect on what is shown already.
func TestSettingsTakeEffect(t *testing.T) {
	host := newFakeHost()
	host.file("c.txt", "three\n")
	host.stage("c.txt", "three", "3")
	w := dial(t, dialOptions{host: host, options: `{"ui":{"diagnostics":"off"}}`})
	w.notify("workspace/didChangeConfiguration", `{"settings":{"galley":{"ui":{"diagnostics":"hint"}}}}`)
	w.awaitMessage("textDocument/publishDiagnostics", has(`"severity":4`))
	w.notify("workspace/didChangeConfiguration", `{"settings":{"galley":{"ui":{"diagnostics":"warning"}}}}`)
	w.awaitMessage("textDocument/publishDiagnostics", has(`"severity":2`))
}

func TestSettingsAreFetched(t *testing.T) {
	host := newFakeHost()
	w := dial(t, dialOptions{host: host, noHello: true})
	w.on("workspace/configuration", func(json.RawMessage) any { return []any{map[string]any{"review": "wat"}} })
	w.hello(dialOptions{caps: `{"workspace":{"configuration":true,"didChangeConfiguration":{"dynamicRegistration":true}}}`})
	w.awaitMessage("client/registerCapability", has("didChangeConfiguration"))
	w.awaitMessage("window/showMessage", has("there is no setting review"))
	w.forget()
	w.notify("workspace/didChangeConfiguration", `{"settings":null}`)
	w.awaitMessage("workspace/configuration", has(`"section":"galley"`))
}

// The host is opened with the options, so that it begins with the right settings.
func TestOpenKnowsTheOptions(t *testing.T) {
	c := clientOf(treeOf(json.RawMessage(`{"initializationOptions":{"ui":{"icons":false}}}`)))
	if text, err := json.Marshal(c.public().Options); string(text) != `{"ui":{"icons":false}}` {
		t.Errorf("%s %v", text, err)
	}
}
