package main_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// pointDeed is what is killed.
type pointDeed struct {
	name   string
	before func(d *seat) // not killed
	do     func(d *seat)
	whole  bool // closed files change all or none
}

func pointDeeds() []pointDeed {
	letters := func(command, letters string) func(d *seat) {
		return func(d *seat) {
			for _, l := range strings.Fields(letters) {
				d.command(command, map[string]any{"change": l})
			}
		}
	}
	commit := func(d *seat) {
		d.command("galley.commit", map[string]any{"edit": 1, "summary": "all of it"})
	}
	return []pointDeed{
		{name: "apply", do: letters("galley.apply", "A")},
		{name: "apply file by file", do: letters("galley.apply", "C G J K L")},
		{name: "commit", do: commit, whole: true},
		{name: "commit and save", do: func(d *seat) { commit(d); d.save() }, whole: true},
		{
			name: "undo in the editor", before: letters("galley.apply", "A J"),
			do: func(d *seat) {
				for _, f := range pointFiles {
					if f.letter == "A" || f.letter == "J" {
						d.e.Undo(d.uri(f.name))
						d.until(f.letter+" is staged", func() error { return d.is(f.letter, "staged") })
					}
				}
			},
		},
		{name: "un-reject", before: letters("galley.reject", "A C L"), do: letters("galley.unreject", "A C L")},
		{
			name: "revert with what was applied", before: letters("galley.apply", "A C F G H I J K L"),
			do: func(d *seat) {
				d.command("galley.revert", map[string]any{"edit": 1, "reason": "no", "includeApplied": true})
			},
		},
	}
}

// ways to go on after a kill.
var ways = []string{"terminal", "editor", "editor died", "terminal, editor"}

// goOn starts galley again after a kill, and looks.
func (d *seat) goOn(deed pointDeed, then string, buffers map[string]string) {
	died := then == "terminal" || then == "editor died"
	files := d.files()
	for name, want := range d.disk {
		if text, there := files[name]; (!there || text != want) && !strings.Contains(deed.name, "save") {
			panic(failed{fmt.Errorf("%s holds %q, and the user saved %q", name, text, want)})
		}
	}
	if died {
		buffers = nil
	}
	_, _ = d.journal() // names the session
	if strings.HasPrefix(then, "terminal") {
		d.reviewed(deed)
	}
	if then != "terminal" {
		d.serve(buffers)
		_, heard := d.journal()
		d.until("the truth", func() error { return d.honest(deed, d.texts(), d.letters()) })
		d.shows(len(heard))
		if !died && !strings.HasPrefix(d.e.Text(d.uri("b.txt")), unsaved) {
			panic(failed{errors.New("what the user typed is gone")})
		}
		d.save()
		d.settled()
		d.ok(d.e.Exit(d.ctx))
		lsptest.Conform(panics{}, d.e)
	}
	for range 2 {
		d.reviewed(deed)
	}
	d.ok(d.tidy())
}

// shows checks that the user is told of what the agent heard of after the first news, where something was lost.
func (d *seat) shows(first int) {
	_, news := d.journal()
	for _, n := range news[min(first, len(news)):] {
		if strings.Contains(n, "galley was ended") || strings.Contains(n, "did not save") {
			d.ok(d.e.Wait(d.ctx, "the message "+n, func(sc *lsptest.Screen) bool { return sc.Message(n) }))
		}
	}
}

// reviewed looks in the terminal, which goes on with what was cut off.
func (d *seat) reviewed(deed pointDeed) {
	letters := d.review()
	d.ok(d.honest(deed, d.files(), letters))
}

// killedAt does a deed until galley is killed at a point, and goes on. It answers whether it came to that.
func (d *seat) killedAt(deed pointDeed, at int, then string) (killed bool) {
	d.serve(nil, fmt.Sprint("KILL_GALLEY_AT=", at))
	defer func() { _ = d.e.Close() }()
	d.e.Type(d.uri("b.txt"), lsptest.Offset(0), unsaved)
	for _, f := range pointFiles {
		if f.open && f.op == edited {
			d.disk[f.name] = f.before()
		}
	}
	if deed.before != nil {
		deed.before(d)
	}
	d.e.Notify("$/test/count", nil)
	if !d.dies(deed) {
		return false
	}
	buffers := d.buffers()
	d.goOn(deed, then, buffers)
	return true
}

// dies answers whether galley was killed in a deed, or at its orderly end.
func (d *seat) dies(deed pointDeed) (killed bool) {
	defer func() {
		if f := recover(); f != nil {
			if _, ok := f.(failed); !ok || !d.dead() {
				panic(f)
			}
			killed = true
		}
	}()
	deed.do(d)
	d.ok(d.e.Exit(d.ctx))
	return false
}

// TestEditorKilledAtEveryPoint kills galley at every point of decisions over open and closed files, and starts it again.
func TestEditorKilledAtEveryPoint(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: each point is three processes, and their starts take seconds under the race detector")
	}
	long := os.Getenv("GALLEY_LONG") != ""
	t.Log("a share of the points, each in one way, in turn; all of them in all ways with GALLEY_LONG=1")
	var all sync.WaitGroup
	slots := make(chan struct{}, 8) // most of the time they wait
	for i, deed := range pointDeeds() {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		upTo := func(n int) int {
			if long {
				return 1
			}
			return 1 + r.IntN(n)
		}
		all.Go(func() {
			at, thens := upTo(10), ways
			for n := 0; ; n++ {
				if !long {
					thens = ways[n%len(ways):][:1]
				}
				if !killedAt(t, slots, deed, at, thens) {
					break
				}
				at += upTo(60)
			}
			t.Logf("%s is over at point %d", deed.name, at)
		})
	}
	all.Wait()
}

// killedAt kills at one point, and goes on in each of some ways. It answers whether it came to that in any: editors
// differ in how many messages they exchange.
func killedAt(t *testing.T, slots chan struct{}, deed pointDeed, at int, thens []string) (killed bool) {
	for i, then := range thens {
		slots <- struct{}{}
		killed = tryPoint(t, deed, at, then, profileOf(at+i)) || killed
		<-slots
	}
	return killed
}

func profileOf(n int) lsptest.Profile {
	all := append(lsptest.All(), lsptest.Plain())
	return all[n%len(all)]
}

// tryPoint tells a failure with its point, and goes on with the next.
func tryPoint(t *testing.T, deed pointDeed, at int, then string, p lsptest.Profile) (killed bool) {
	var d *seat
	defer func() {
		if f := recover(); f != nil {
			why := ""
			if d != nil && d.e != nil {
				why = d.e.Dump()
			}
			t.Errorf("%s, killed at point %d, then %s, %s: %v\n%s", deed.name, at, then, p.Name, f, why)
			killed = d != nil
		}
	}()
	d = newSeat(t.Context(), t.TempDir(), p)
	return d.killedAt(deed, at, then)
}
