package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
)

// offer is something the user can do: a title and a command, never an edit.
type offer struct {
	title, command string
	kind           protocol.CodeActionKind
	change         string // letter, for the diagnostic that it belongs to
	argument       any
	note           string // behind the title
}

func (o offer) toProtocol() protocol.Command {
	return protocol.Command{Title: o.title + o.note, Command: o.command, Arguments: []protocol.LSPAny{protocol.LSPAny(own(o.argument))}}
}

// shownLetter names a change as it was shown.
type shownLetter struct {
	Change   string `json:"change"`
	Revision int    `json:"revision"`
	Session  string `json:"session"`
	Edit     int    `json:"edit"`
}

func letterOf(c *editing.Change) shownLetter {
	return shownLetter{Change: c.Letter, Revision: c.Revision, Session: c.Owner, Edit: c.Session}
}

// choice is the argument of a decision about one change.
type choice struct {
	shownLetter
	Hash string `json:"hash,omitempty"`
	Take string `json:"take,omitempty"`
}

// target is the argument of a decision about several.
type target struct {
	Session string `json:"session,omitempty"`
	Edit    int    `json:"edit,omitempty"`
	URI     string `json:"uri,omitempty"`
	Seq     int64  `json:"seq,omitempty"`

	Position *protocol.Position `json:"position,omitempty"`
}

// offersFor are the decisions that a change allows in its state. Who is to take it in
// is told what they are not shown of it.
func (s *server) offersFor(snap *editing.Snapshot, d *editing.Document, c *editing.Change) []offer {
	one := choice{shownLetter: letterOf(c)}
	about := func(title, command string) offer {
		return offer{title: title, command: command, kind: kindQuickFix, change: c.Letter, argument: one}
	}
	switch c.State {
	case editing.Staged:
		apply := about("Apply "+c.Letter, cmdApply)
		if hidden := s.hidden(snap, c); hidden != "" {
			apply.note = ": " + hidden
		}
		return []offer{apply, about("Reject "+c.Letter, cmdReject), about("Preview "+c.Letter, cmdPreview)}
	case editing.Conflict:
		var out []offer
		for _, w := range []struct{ title, take string }{
			{"Keep mine", host.TakeMine},
			{"Take the agent's", host.TakeAgent},
			{"Ask again", host.TakeAsk},
		} {
			out = append(out, offer{
				title: w.title + " (" + c.Letter + ")", command: cmdResolve, kind: kindQuickFix, change: c.Letter,
				argument: choice{letterOf(c), baseHash(d, c), w.take},
			})
		}
		return out
	case editing.Rejected:
		return []offer{about("Bring back "+c.Letter, cmdUnreject)}
	}
	return nil
}

// offersForEdits are the decisions about whole edits.
func (s *server) offersForEdits(snap *editing.Snapshot, d *editing.Document, uri string, at protocol.Position) []offer {
	var out []offer
	open := openEdits(snap)
	mixed := slices.ContainsFunc(open, func(e *editing.Session) bool { return e.Owner != open[0].Owner })
	for _, ses := range open {
		of := ""
		if title := s.host.Title(ses.Owner); mixed && title != "" {
			of = fmt.Sprintf(" of “%s”", shortened(title))
		}
		t := target{Session: ses.Owner, Edit: ses.N, Seq: snap.Seq}
		out = append(
			out,
			offer{title: fmt.Sprintf("Commit #%d%s (%s)", ses.N, of, countOf(snap, ses)), command: cmdCommit, kind: kindSource, argument: t, note: s.notAll(snap, ses)},
			offer{title: fmt.Sprintf("Revert #%d%s", ses.N, of), command: cmdRevert, kind: kindSource, argument: t},
		)
	}
	if staged(d) > 1 { // those that are not shown whole are left, and it is said so
		out = append(out, offer{
			title: "Apply all in this file", command: cmdApply, kind: kindSource, argument: target{URI: uri, Seq: snap.Seq},
		})
	}
	if len(open) > 0 {
		out = append(out, offer{title: "Next change", command: cmdNext, kind: kindSource, argument: target{URI: uri, Position: &at}})
	}
	return out
}

// notAll names the letters of an edit that the user was not shown whole.
func (s *server) notAll(snap *editing.Snapshot, ses *editing.Session) string {
	_, letters, _ := s.unseen(snap, snap.Undecided(ses.Owner, ses.N))
	if len(letters) == 0 {
		return ""
	}
	return ": not all is shown of " + strings.Join(letters, ", ")
}

func openEdits(snap *editing.Snapshot) []*editing.Session {
	var out []*editing.Session
	for _, ses := range snap.Sessions("") {
		if ses.State.Open() && len(snap.Undecided(ses.Owner, ses.N)) > 0 {
			out = append(out, ses)
		}
	}
	return out
}

func staged(d *editing.Document) int {
	n := 0
	if d != nil {
		for _, c := range d.Changes() {
			if c.State == editing.Staged {
				n++
			}
		}
	}
	return n
}

// comment is one that asks galley for something.
type comment struct {
	prompt string
	text   string // of the line, from the blanks before the comment on
	alone  bool   // nothing else is on its line
}

// askComment finds a comment that begins with "galley:" on a line.
func askComment(line string) (c comment, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	before, prompt, ok := strings.Cut(line, askPrefix)
	c.prompt = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(prompt), "*/->"))
	code := strings.TrimSpace(before)
	mark := code[strings.LastIndexAny(code, " \t")+1:]
	code = strings.TrimRight(before[:strings.LastIndex(before, mark)], " \t")
	c.text, c.alone = line[len(code):], code == ""
	is := mark != "" && strings.Trim(mark, "/*#-;%<!\"'") == ""
	return c, ok && is && c.prompt != ""
}

// whole is what the comment asks for, with what it says and where, to go with the same edit. It reads as a sentence does,
// and is one to the offline model, too.
func (c comment) whole(name string, line int) string {
	text := c.text
	if c.alone {
		text += "\n"
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`, "\n", `\n`)
	return fmt.Sprintf("delete \"%s\" in \"%s\"\n(that is the comment in %s, line %d, which asks:)\n%s",
		quoted.Replace(text), quoted.Replace(name), name, line, c.prompt)
}
