package lsp

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/memory"
)

// tree is JSON of any shape. What is not there, or of another type than asked
// for, reads as nothing: one odd capability must not cost the others.
type tree struct{ v any }

func treeOf(raw json.RawMessage) tree {
	var v any
	_ = json.Unmarshal(raw, &v)
	return tree{v}
}

func (t tree) at(path ...string) tree {
	for _, name := range path {
		m, _ := t.v.(map[string]any)
		t = tree{m[name]}
	}
	return t
}

// object reports whether it is there as an object: how clients say "I can".
func (t tree) object() bool { _, ok := t.v.(map[string]any); return ok }

func (t tree) flag() bool { b, _ := t.v.(bool); return b }

func (t tree) text() string { s, _ := t.v.(string); return s }

// number is a whole number of 32 bits.
func (t tree) number() int {
	f, _ := t.v.(float64)
	if f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return 0
	}
	return int(f)
}

func (t tree) items() []tree {
	list, _ := t.v.([]any)
	out := make([]tree, len(list))
	for i, v := range list {
		out[i] = tree{v}
	}
	return out
}

func (t tree) texts() []string {
	var out []string
	list, _ := t.v.([]any)
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// client is what the editor said of itself. It never changes after initialize.
type client struct {
	name, version string
	root          string // the folder that it works in
	pid           int
	encoding      encoding
	profile       profile
	options       any // initializationOptions: settings, as JSON

	caps offers

	// experimental.galley
	notifications bool // wants galley's own notifications
	draws         bool // draws changes itself
	save          bool // answers galley/save
	questions     bool // answers galley/question
	exact         bool // refuses every stale edit
}

// offers are the capabilities that galley asks for, by what they allow.
type offers struct {
	applyEdit, documentChanges, renames bool
	configuration                       bool
	configurationDynamic                bool
	watchDynamic                        bool
	lensRefresh, hintRefresh            bool
	virtual                             bool
	progress, showDocument, actionItems bool
	actionLiterals                      bool
	markdown, versionedDiagnostics      bool
	diagnosticData, hierarchicalSymbols bool
	symbolsDynamic                      bool
	refactoringMetadata                 bool
}

// profile is what is known of a client beyond what it says: measured, see
// docs/protocol.md. The zero value is for clients never seen.
type profile struct {
	called string // what people call the editor, where its client has another name
	exact  bool   // its version check refuses every stale edit
	// rawLetters: diagnostics of a file whose name has letters beyond ASCII are
	// shown only if its URI has them unencoded.
	rawLetters bool
	// typesIntoPrompts: a question would swallow what the user types.
	typesIntoPrompts bool
	// savesRefactorings: an edit that is marked as a refactoring is saved.
	savesRefactorings bool
	warnings          bool // only warnings unfold to several lines
	// holdsTyping: text that was typed is told later, and an edit that was made
	// without it is taken all the same.
	holdsTyping bool
	lines       bool     // it holds lines and not a text, see lined
	blurs       bool     // its last empty line may be one too many, see blurred
	returns     lineRule // what a \r is to it that is no part of \r\n
}

// lineRule says what ends a line.
type lineRule int

const (
	returnsUnknown lineRule = iota // the text of a client never seen is not followed where that matters
	returnsEnd                     // \r does, as the protocol says
	returnsStay                    // \r is a character
)

// profiles is the one list of clients, by the beginning of their name.
var profiles = []struct {
	prefix string
	profile
}{
	{"Visual Studio Code", profile{exact: true, savesRefactorings: true, returns: returnsEnd}},
	{"VSCodium", profile{exact: true, savesRefactorings: true, returns: returnsEnd}},
	{"code-server", profile{exact: true, savesRefactorings: true, returns: returnsEnd}},
	{"Cursor", profile{exact: true, savesRefactorings: true, returns: returnsEnd}},
	{"helix", profile{exact: true, warnings: true, returns: returnsStay}},
	{"Neovim", profile{holdsTyping: true, lines: true, blurs: true, returns: returnsStay}},
	{"Emacs", profile{holdsTyping: true, rawLetters: true, typesIntoPrompts: true, returns: returnsStay}},
	{"eglot", profile{called: "Emacs", holdsTyping: true, rawLetters: true, typesIntoPrompts: true, returns: returnsStay}},
}

func profileOf(name, version string) profile {
	for _, p := range profiles {
		if len(name) >= len(p.prefix) && strings.EqualFold(name[:len(p.prefix)], p.prefix) {
			p.blurs = p.blurs && !older(version, 0, 11)
			return p.profile
		}
	}
	return profile{}
}

// older reports whether a version is known to be before another one.
func older(version string, major, minor int) bool {
	var v [2]int
	n, _ := fmt.Sscanf(version, "%d.%d", &v[0], &v[1])
	return n == 2 && (v[0] < major || v[0] == major && v[1] < minor)
}

// clientOf reads the parameters of initialize.
func clientOf(params tree) *client {
	c := &client{
		name: params.at("clientInfo", "name").text(), version: params.at("clientInfo", "version").text(),
		pid: params.at("processId").number(),
	}
	c.profile, c.root, c.options = profileOf(c.name, c.version), rootOf(params), params.at("initializationOptions").v
	c.name = orElse(c.profile.called, c.name)
	caps := params.at("capabilities")
	c.encoding = pickEncoding(caps.at("general", "positionEncodings").texts())
	c.caps = capsOf(caps)
	g := caps.at("experimental", "galley")
	c.notifications, c.draws, c.save, c.exact = g.at("notifications").flag(), g.at("draws").flag(), g.at("save").flag(), g.at("exact").flag()
	c.questions = g.at("questions").flag()
	return c
}

// rootOf is the first workspace folder, else the root that older clients name.
func rootOf(params tree) string {
	folder := ""
	if all := params.at("workspaceFolders").items(); len(all) > 0 {
		folder = all[0].at("uri").text()
	}
	for _, u := range []string{folder, params.at("rootUri").text()} {
		if path, ok := filePath(u); ok {
			return path
		}
	}
	return params.at("rootPath").text()
}

func capsOf(c tree) offers {
	w, d, win := c.at("workspace"), c.at("textDocument"), c.at("window")
	return offers{
		applyEdit: w.at("applyEdit").flag(), documentChanges: w.at("workspaceEdit", "documentChanges").flag() || len(w.at("workspaceEdit", "resourceOperations").texts()) > 0,
		renames:             slices.Contains(w.at("workspaceEdit", "resourceOperations").texts(), "rename"),
		refactoringMetadata: w.at("workspaceEdit", "metadataSupport").flag(),
		configuration:       w.at("configuration").flag(), configurationDynamic: w.at("didChangeConfiguration", "dynamicRegistration").flag(),
		watchDynamic: w.at("didChangeWatchedFiles", "dynamicRegistration").flag(),
		lensRefresh:  w.at("codeLens", "refreshSupport").flag(), hintRefresh: w.at("inlayHint", "refreshSupport").flag(),
		virtual:  w.at("textDocumentContent").object(),
		progress: win.at("workDoneProgress").flag(), showDocument: win.at("showDocument", "support").flag(),
		actionItems:          win.at("showMessage").object(),
		actionLiterals:       d.at("codeAction", "codeActionLiteralSupport").object(),
		markdown:             slices.Contains(d.at("hover", "contentFormat").texts(), "markdown"),
		versionedDiagnostics: d.at("publishDiagnostics", "versionSupport").flag(),
		diagnosticData:       d.at("publishDiagnostics", "dataSupport").flag(),
		symbolsDynamic:       d.at("documentSymbol", "dynamicRegistration").flag(),
		hierarchicalSymbols:  d.at("documentSymbol", "hierarchicalDocumentSymbolSupport").flag(),
	}
}

// Client is what others may know of the connected editor.
type Client struct {
	Root    string // the folder that it works in, "" if it named none
	Options any    // its initializationOptions, as JSON: settings
}

func (c *client) public() Client { return Client{Root: c.root, Options: c.options} }

// refusesStale reports whether its version check refuses every stale edit, so that one
// may be sent that the user did not just ask for.
func (c *client) refusesStale() bool { return (c.exact || c.profile.exact) && c.caps.documentChanges }

// onHost is what others on the host need to know of it.
func (c *client) onHost(kind string, pid int) host.Client {
	return host.Client{
		Kind: orElse(kind, memory.ClientEditor), PID: pid, Name: orElse(c.name, "another editor"), Exact: c.refusesStale(), Edits: c.caps.applyEdit, Renames: c.caps.renames,
	}
}

// ClientOf is what an editor says of itself in the parameters of initialize.
func ClientOf(initialize json.RawMessage) Client { return clientOf(treeOf(initialize)).public() }

// SentSettings are the settings in what an editor sends of them, with or without their section.
func SentSettings(sent json.RawMessage) any {
	all := treeOf(sent)
	if inner := all.at(section); inner.object() {
		all = inner
	}
	return all.v
}

// asks reports whether the user can be asked something.
func (c *client) asks() bool { return c.caps.actionItems && !c.profile.typesIntoPrompts }
