package demo

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/testdata"
)

// walk is a walk of the demo as its file tells it.
type walk []instruction

// instruction is "verb: rest", in some cases with a condition: "say [rejected]: as you like". Lines that are indented go on
// with the line above, and # begins a comment. These are the verbs:
//
//	note     words of the demo
//	command  a line that can be copied
//	wish     what the person says to the agent, which says and calls what follows
//	say      a reply of the agent; with a condition only if the agent has heard that word from galley
//	call     a call in the reply: the name of a tool and its arguments
//	gets     the status that the call above is answered with, if that is no success
//	answer   what the person types in the review, which lasts as long as there are answers
//	save     a text in a file that the person replaces in their editor: FILE, then the texts as JSON
//	look     a file and the number of its line that is shown
//
// The conditions of all verbs but say: typed, played (what the person says in a review), kept, removed (the folder).
type instruction struct {
	verb, when, rest string
	number           int // in the file
}

// readWalk reads the script of a walk.
func readWalk(name string) (walk, error) {
	text, err := testdata.Walks.ReadFile("walks/" + name + ".txt")
	if err != nil {
		return nil, fmt.Errorf("read the script of the walk: %w", err)
	}
	return parseWalk(string(text))
}

func parseWalk(text string) (s walk, err error) {
	for number, line := range strings.Split(text, "\n") {
		words, goesOn := strings.CutPrefix(line, "  ")
		switch {
		case line == "" || line[0] == '#':
		case goesOn && len(s) > 0:
			s[len(s)-1].rest += " " + words
		default:
			verb, rest, found := strings.Cut(line, ": ")
			if !found {
				return nil, fmt.Errorf("line %d is no line of a script: %s", number+1, line)
			}
			verb, when, _ := strings.Cut(strings.TrimSuffix(verb, "]"), " [")
			s = append(s, instruction{verb, when, rest, number + 1})
		}
	}
	return s, nil
}

// reply is a reply of the agent in a script.
type reply struct {
	when  string // it counts only if the agent has heard this word, "": always
	text  string
	calls []memory.ToolCall
	gets  map[string]string // status by call, where it is no success
}

// replies are those that the lines of a script begin with, and what comes behind them.
func (s walk) replies(from int) (all []reply, next int, err error) {
	for next = from; next < len(s); next++ {
		l := s[next]
		if l.verb != "say" && len(all) == 0 {
			break
		}
		switch l.verb {
		case "say":
			all = append(all, reply{when: l.when, text: l.rest, gets: map[string]string{}})
		case "call":
			name, args, _ := strings.Cut(l.rest, " ")
			if !json.Valid([]byte(args)) {
				return nil, 0, fmt.Errorf("line %d: the arguments are no JSON", l.number)
			}
			r := &all[len(all)-1]
			r.calls = append(r.calls, memory.ToolCall{ID: fmt.Sprintf("call_%d", l.number), Name: name, Arguments: args})
		case "gets":
			r := &all[len(all)-1]
			r.gets[r.calls[len(r.calls)-1].ID] = l.rest
		default:
			return all, next, nil
		}
	}
	return all, next, nil
}
