package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// rest lets everything that is under way come to its end and compares both sides.
func (c *chaos) rest() {
	c.say("rest")
	frozen := c.r.IntN(2) == 0
	c.Finish()
	c.Thaw()
	c.idle(c.t)
	for settled := false; !settled; { // an answer may be held back for an edit that only comes now
		c.Await(c.t, "the editor has told everything, or holds an answer", func(s *lsptest.Screen) bool {
			settled = s.Settled()
			return settled || slices.ContainsFunc(s.Edits, func(a lsptest.Applied) bool { return a.Said == "" })
		})
		c.ReleaseReplies()
	}
	for len(c.calls) > 0 {
		c.answered(c.calls[0])
	}
	c.command(c.t, "galley.changes") // it is handled behind what was typed
	c.settled()
	clear(c.flying)
	c.same()
	c.words()
	c.asShown()
	if frozen {
		c.Freeze()
	}
}

// settled waits until no letter is being applied and no edit committed.
func (c *chaos) settled() {
	ctx, cancel := context.WithTimeout(context.Background(), lsptest.Patience)
	defer cancel()
	for seq := int64(-1); ; {
		snap, err := c.host.Workspace().Wait(ctx, seq)
		if !busy(snap) {
			return
		}
		if err != nil {
			c.fail("the server does not come to rest: %v", err)
		}
		seq = snap.Seq
	}
}

// busy: a letter is being applied, or an edit committed.
func busy(snap *editing.Snapshot) bool {
	return slices.ContainsFunc(snap.Sessions(""), func(s *editing.Session) bool { return s.State == editing.Committing }) ||
		slices.ContainsFunc(snap.Changes(), func(ch *editing.Change) bool { return ch.State == editing.Applying })
}

// same: the server's texts are the editor's. An edit that the server had given up may come even now.
func (c *chaos) same() {
	difference := ""
	err := c.Wait(context.Background(), "the server's texts are the editor's", func(s *lsptest.Screen) bool {
		difference = ""
		snap := c.host.Workspace().Snapshot()
		for _, name := range c.names {
			b, open := s.Buffer(c.uri(name))
			if d, ok := snap.Document(c.path(name)); open && (!ok || !d.Open() || !c.sameText(d.Base.String(), b.Text)) {
				difference = fmt.Sprintf("%s in the editor is\n%q\nand the server has (it knows the document: %t)\n%s", name, b.Text, ok, quoted(d))
			}
		}
		return difference == ""
	})
	if err != nil {
		c.fail("%s", difference)
	}
	doubted := false
	c.Look(func(s *lsptest.Screen) { doubted = s.Message("lost track") })
	if doubted {
		c.fail("a sound editor was doubted")
	}
}

// sameText: where an editor holds lines, the last ending is as the letters want it.
func (c *chaos) sameText(server, editor string) bool {
	if c.profile.Lined != lsptest.LinedNot {
		server, editor = bare(server), bare(editor)
	}
	return server == editor
}

func bare(text string) string { return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r") }

func quoted(d *editing.Document) string {
	if d == nil {
		return ""
	}
	return fmt.Sprintf("%q (open %t)", d.Base.String(), d.Open())
}

// asShown: what galley.changes answers and what the diagnostics show is the state of the letters.
func (c *chaos) asShown() {
	c.Await(c.t, "the diagnostics show the letters", func(s *lsptest.Screen) bool {
		want := c.undecided()
		return !slices.ContainsFunc(c.names, func(name string) bool { return !equalSets(c.diagnosed(s, name), want[name]) })
	})
	got, want := c.toldAndTrue()
	for _, name := range c.names {
		if !equalSets(got[name], want[name]) {
			c.fail("galley.changes says %v of %s, the server's state is %v", got[name], name, want[name])
		}
	}
}

// toldAndTrue is what galley.changes says of the undecided letters, and what was so all the while: a file that another
// program wrote may be read in between.
func (c *chaos) toldAndTrue() (got, want map[string][]string) {
	for {
		at := c.host.Workspace().Snapshot().Seq
		got, want = map[string][]string{}, c.undecided()
		for _, f := range c.asked().Files {
			for _, ch := range f.Changes {
				if editing.ChangeState(ch.State).Undecided() {
					name := c.nameOf(f.URI)
					got[name] = append(got[name], ch.Change+" "+ch.State)
				}
			}
		}
		if c.host.Workspace().Snapshot().Seq == at {
			return got, want
		}
	}
}

// undecided are the letters with their states, by file.
func (c *chaos) undecided() map[string][]string {
	out := map[string][]string{}
	for _, ch := range c.changes(editing.Staged, editing.Applying, editing.Conflict) {
		out[ch.Name] = append(out[ch.Name], ch.Letter+" "+string(ch.State))
	}
	return out
}

// diagnosed are the letters shown in a file with the state that their message tells.
func (c *chaos) diagnosed(s *lsptest.Screen, name string) []string {
	var out []string
	uri := c.uri(name)
	for _, code := range s.Codes(uri) {
		state := editing.Staged
		if strings.Contains(s.Diagnostic(uri, code).Message, "\nin conflict with your text") {
			state = editing.Conflict
		}
		out = append(out, code+" "+string(state))
	}
	return out
}

func (c *chaos) nameOf(uri string) string {
	for _, name := range c.names {
		if strings.EqualFold(uri, c.uri(name)) || strings.HasSuffix(uri, "/"+name) {
			return name
		}
	}
	return uri
}

func equalSets(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
