package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// command is one thing the user can do. Its first half runs in wire order, see
// request; the second answers a value, which is encoded as its tags say.
type command struct {
	name string
	run  func(s *server, a args) (rest, error)
}

func commands() []command {
	return []command{
		{cmdAsk, (*server).cmdAsk},
		{cmdCancel, (*server).cmdCancel},
		{cmdApply, (*server).cmdApply},
		{cmdReject, (*server).cmdReject},
		{cmdUnreject, (*server).cmdUnreject},
		{cmdResolve, (*server).cmdResolve},
		{cmdCommit, (*server).cmdCommit},
		{cmdRevert, (*server).cmdRevert},
		{cmdUndo, (*server).cmdUndo},
		{cmdPreview, (*server).cmdPreview},
		{cmdNext, (*server).cmdNext},
		{cmdPrevious, (*server).cmdPrevious},
		{cmdChanges, (*server).cmdChanges},
		{cmdRuns, ofSession((*server).cmdRuns)},
		{cmdTasks, ofSession((*server).cmdTasks)},
		{cmdContext, ofSession((*server).cmdContext)},
		{cmdSessions, (*server).cmdSessions},
		{cmdNewSession, (*server).cmdNewSession},
		{cmdOpenSession, (*server).cmdOpenSession},
		{cmdRename, ofSession((*server).cmdRenameSession)},
		{cmdDelete, (*server).cmdDeleteSession},
		{cmdRewind, ofSession((*server).cmdRewind)},
		{cmdCompact, ofSession((*server).cmdCompact)},
		{cmdUnfold, ofSession((*server).cmdUnfold)},
		{cmdMemory, ofSession((*server).cmdMemory)},
		{cmdExport, ofSession((*server).cmdExport)},
		{cmdComment, (*server).cmdComment},
		{cmdSend, (*server).cmdSend},
		{cmdEdit, (*server).cmdEdit},
		{cmdAmend, (*server).cmdAmend},
		{cmdSplit, (*server).cmdSplit},
	}
}

// ofSession is a command about an agent session: the one that is named, or the active one.
func ofSession(run func(s *server, a args, session string) (rest, error)) func(*server, args) (rest, error) {
	return func(s *server, a args) (rest, error) {
		session, err := s.session(a)
		if err != nil {
			return nil, err
		}
		return run(s, a, session)
	}
}

func commandNames() []string {
	var out []string
	for _, c := range commands() {
		out = append(out, c.name)
	}
	return out
}

// args is the one object that commands take, with all its fields.
type args struct {
	Change         string             `json:"change"`
	Changes        []string           `json:"changes"`
	Revision       int                `json:"revision"`
	Hash           string             `json:"hash"`
	Take           string             `json:"take"`
	Session        string             `json:"session"`
	Edit           int                `json:"edit"`
	Seq            *int64             `json:"seq"`
	Compactions    []int64            `json:"compactions"`
	Force          bool               `json:"force"`
	URI            string             `json:"uri"`
	Range          *protocol.Range    `json:"range"`
	Position       *protocol.Position `json:"position"`
	Reason         string             `json:"reason"`
	Summary        string             `json:"summary"`
	IncludeApplied bool               `json:"includeApplied"`
	Prompt         string             `json:"prompt"`
	Queue          bool               `json:"queue"`
	Send           bool               `json:"send"` // of a run that hears what waits, see Sending
	Run            string             `json:"run"`
	Decision       string             `json:"decision"`
	Ask            bool               `json:"ask"` // before what the person may not mean is taken back
	Format         string             `json:"format"`
	Title          string             `json:"title"`
	ReadOnly       bool               `json:"readOnly"`
	What           string             `json:"what"`
	To             string             `json:"to"`
	Text           string             `json:"text"`
	NewText        *string            `json:"newText"`
	Lines          []int              `json:"lines"`
	Path           string             `json:"path"`
	Target         string             `json:"target"`
	Strategy       string             `json:"strategy"`
	KeepRecent     int                `json:"keep_recent"` // named as the tool's are
	ArchiveTo      string             `json:"archive_to"`

	word string // a bare text: each command knows what it stands for
}

// argsOf reads the arguments of a command: none, the object, a bare letter, or
// the bare number of an edit, as people type them. A longer bare text is what
// the command is about: a prompt, a summary, a session.
func argsOf(list []json.RawMessage) (args, error) {
	var a args
	if len(list) == 0 || string(list[0]) == "null" {
		return a, nil
	}
	var word string
	if json.Unmarshal(list[0], &word) == nil {
		if strings.HasPrefix(strings.TrimSpace(word), "{") {
			list[0] = json.RawMessage(word)
		} else {
			word = strings.TrimSpace(word)
			if len(word) == 1 {
				return args{Change: word}, nil
			}
			return args{word: word}, nil
		}
	}
	if json.Unmarshal(list[0], &a.Edit) == nil {
		return a, nil
	}
	if err := json.Unmarshal(list[0], &a); err != nil {
		return a, badArguments("the argument cannot be read: %v; it is one object, or a bare letter", err)
	}
	return a, nil
}

func (s *server) executeCommand(params json.RawMessage) (any, rest, error) {
	var p struct {
		Command   string            `json:"command"`
		Arguments []json.RawMessage `json:"arguments"`
	}
	if err := decoded(params, &p); err != nil {
		return nil, nil, err
	}
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == p.Command })
	if i < 0 {
		return nil, nil, badArguments("there is no command %s; there are %s", p.Command, strings.Join(commandNames(), ", "))
	}
	if s.inside != "" && decides[p.Command] {
		return nil, nil, errInside()
	}
	a, err := argsOf(p.Arguments)
	if err != nil {
		return nil, nil, err
	}
	then, err := all[i].run(s, a)
	then, err = s.command(p.Command, a, ours(then), err)
	return nil, then, err
}

// ours is a second half whose answer is a value of galley's own. What the host has not
// done is refused.
func ours(r rest) rest {
	if r == nil {
		return nil
	}
	return func(ctx context.Context) (any, error) {
		v, err := r(ctx)
		var wire *jsonrpc2.Error
		switch {
		case err == nil:
			return jsonRaw(own(v)), nil
		case errors.As(err, &wire):
			return nil, err
		}
		return nil, refused("failed", "%v", err)
	}
}
