package lsptest

import (
	"fmt"
	"slices"
)

// resultRules are those for what the server answers.
func (c *checker) resultRules(method string, result any) {
	switch method {
	case "initialize":
		c.initialized(result)
	case "textDocument/codeAction":
		actions, _ := result.([]any)
		for _, a := range actions {
			c.action(a)
		}
	case "textDocument/codeLens":
		lenses, _ := result.([]any)
		for _, lens := range lenses {
			if command := dig(lens, "command"); command != nil {
				c.command(command, "lens")
			}
		}
	case "textDocument/hover":
		c.markup(dig(result, "contents"))
	}
}

func (c *checker) initialized(result any) {
	offered := c.encodings
	if len(offered) == 0 {
		offered = []string{UTF16}
	}
	if encoding := text(result, "capabilities.positionEncoding"); encoding != "" && !slices.Contains(offered, encoding) {
		c.say("the server took position encoding %s; the client offered %q", encoding, offered)
	} else if encoding == "" && !slices.Contains(offered, UTF16) {
		c.say("the server took utf-16 by saying nothing; the client offered %q", offered)
	}
	for _, name := range list(result, "capabilities.executeCommandProvider.commands") {
		c.commands = append(c.commands, fmt.Sprint(name))
	}
}

func (c *checker) action(a any) {
	const can = "textDocument.codeAction."
	if text(a, "command") != "" { // a bare command
		c.command(a, "code action")
		return
	}
	c.gate(can+"codeActionLiteralSupport", "a code action literal")
	c.given(a, "data", can+"dataSupport", "code action")
	c.given(a, "isPreferred", can+"isPreferredSupport", "code action")
	c.given(a, "disabled", can+"disabledSupport", "code action")
	if dig(a, "edit") != nil {
		c.say("code action %q carries an edit: one editor would apply it stale", text(a, "title"))
	}
	if command := dig(a, "command"); command != nil {
		c.command(command, "code action")
	}
}

// command: one that the server said it would execute.
func (c *checker) command(v any, where string) {
	if name := text(v, "command"); !slices.Contains(c.commands, name) {
		c.say("%s runs %q, which is not in executeCommandProvider", where, name)
	}
}

// markup: of a format that the client draws.
func (c *checker) markup(contents any) {
	kind := text(contents, "kind")
	if kind == "" || kind == "plaintext" {
		return
	}
	if formats, _ := dig(c.offered, "textDocument.hover.contentFormat").([]string); !slices.Contains(formats, kind) {
		c.say("hover in %s; the client offered %q", kind, formats)
	}
}
