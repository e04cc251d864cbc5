package memory

import (
	"os"
	"slices"
	"time"
)

// eventStep is one event's change of the overview, from one text to another.
type eventStep struct {
	before, after string // hashes
	events        []Event
	at            time.Time
}

// trail is the events that led to the present overview, so that a model which
// wrote on the text of before can have them added to its own.
type trail []eventStep

// maxTrail is more events than one reply of a model sets off.
const maxTrail = 64

func (t *trail) add(s eventStep) {
	if len(*t) > 0 && t.last() != s.before || len(*t) >= maxTrail {
		*t = nil
	}
	*t = append(*t, s)
}

func (t *trail) last() string {
	if len(*t) == 0 {
		return ""
	}
	return (*t)[len(*t)-1].after
}

// carry replays on content the events that happened since the writer saw the
// overview, if nothing else did; it returns what to write over what.
func (t *trail) carry(root *os.Root, content, lastSeen string) (string, string) {
	from := slices.IndexFunc(*t, func(s eventStep) bool { return s.before == lastSeen })
	if from < 0 {
		return content, lastSeen
	}
	_, present, err := readIn(root, overviewFile)
	if err != nil || present != t.last() {
		return content, lastSeen
	}
	for _, s := range (*t)[from:] {
		for _, e := range s.events {
			content = e.apply(content, s.at)
		}
	}
	return content, present
}
