package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// wireSeed replays one random session: go test ./cmd/galley -run TestWireRandomLong -wire.seed 17.
var wireSeed = flag.Int("wire.seed", -1, "run only this random session over the wire")

// Any interleaving of typing, answers of every kind to edits, decisions, commits and runs: at rest the server's text is
// the editor's, no text of the user's is lost, and nothing of the agent's is in a text unless, and but once, it was taken.
func TestWireRandomLong(t *testing.T) {
	first, seeds, steps := 0, 80, 60
	switch {
	case os.Getenv("GALLEY_LONG") != "":
		seeds = 1000
	case testing.Short(): // others than without the race detector
		first, seeds = seeds, 24
	}
	if *wireSeed >= 0 {
		first, seeds = *wireSeed, 1
	}
	before := goleak.IgnoreCurrent()
	t.Run("seeds", func(t *testing.T) {
		for seed := first; seed < first+seeds; seed++ {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				newChaos(t, seed).run(steps)
			})
		}
	})
	goleak.VerifyNone(t, before)
}

// The user's words and the agent's: each is written once, by one of them. A diff takes the agent's for one word.
var (
	agentWord = regexp.MustCompile(`agent\d+x`)
	userWord  = regexp.MustCompile(`«\d+»`)
)

// chaos is one random session.
type chaos struct {
	*wire
	t       *testing.T
	r       *rand.Rand
	profile lsptest.Profile
	auto    bool              // the agent's commits go into texts
	n       int               // makes words unique
	names   []string          // of the files
	took    map[string]bool   // words of the agent's that the user took
	amended map[string]bool   // words of changes that were amended
	seen    map[string]bool   // words of the agent's that were in a text
	disk    map[string]string // what the test knows to be in the files
	calls   []*lsptest.Call   // commands that are not answered yet
	lies    bool              // the editor has promised an edit that may come true later
	flying  map[string]bool   // words that commands were to bring in since the last rest, "" for any: an edit may come late
	mangled bool              // the editor put an edit into text that it was not made for, as some do
	steps   []string
}

func newChaos(t *testing.T, seed int) *chaos {
	r := rand.New(rand.NewPCG(uint64(seed), 3))
	profiles := append(lsptest.All(), lsptest.Plain())
	p := profiles[seed%len(profiles)]
	if r.IntN(2) == 0 {
		p.Cut = lsptest.Cuts()[r.IntN(len(lsptest.Cuts()))]
	}
	if r.IntN(2) == 0 {
		p = p.Speaking([]string{lsptest.UTF8, lsptest.UTF16, lsptest.UTF32}[r.IntN(3)])
	}
	if r.IntN(3) == 0 {
		p = p.Galley(false)
	}
	files := map[string]string{
		"a.txt": "one two three\nfour 😀 five\n\nsix\nseven été nine\nten\n",
		"bé.md": "# Title\n\nalpha beta\ngamma\n\n## More\ndelta 😀😀 epsilon\n",
		"c.txt": "closed one\nclosed two\nclosed three\n",
		"d.txt": []string{"", "one line\n", "one line", "\n"}[r.IntN(4)],
	}
	if seed%3 == 1 {
		files["a.txt"] = strings.ReplaceAll(files["a.txt"], "\n", "\r\n")
	}
	if seed%5 == 2 {
		files["a.txt"] = strings.TrimRight(files["a.txt"], "\r\n")
	}
	review := editing.Ask
	if seed > 103 && seed%7 < 2 { // of those that make long plays
		review = editing.Auto
	}
	c := &chaos{
		wire: newWire(t, p, wireOptions{files: files, patience: time.Duration(2+r.IntN(20)) * time.Millisecond, review: review}),
		t:    t, r: r, profile: p, auto: review == editing.Auto, names: slices.Sorted(maps.Keys(files)), took: map[string]bool{}, amended: map[string]bool{}, seen: map[string]bool{}, flying: map[string]bool{}, disk: files,
	}
	if r.IntN(2) == 0 {
		c.Freeze()
	}
	c.say("seed %d: %s %s cut %d encodings %v", seed, p.Name, p.Version, p.Cut, p.Encodings)
	c.open(t, "a.txt")
	if r.IntN(2) == 0 {
		c.open(t, "bé.md")
	}
	return c
}

func (c *chaos) run(steps int) {
	defer func() {
		if r := recover(); r != nil {
			c.fail("panic: %v\n%s", r, debug.Stack())
		}
	}()
	for i := range steps {
		c.step()
		c.words()
		if i%20 == 19 {
			c.rest()
		}
	}
	c.close(c.t)
}

func (c *chaos) say(format string, args ...any) {
	c.steps = append(c.steps, fmt.Sprintf(format, args...))
}

func (c *chaos) fail(format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("%s\n%s\nlast steps:\n%s\nthe server's log:\n%s\n%s", fmt.Sprintf(format, args...), c.steps[0],
		strings.Join(c.steps[max(0, len(c.steps)-25):], "\n"), c.log, c.Dump())
}

// step is one thing that happens.
func (c *chaos) step() {
	type deed struct {
		weight int
		do     func()
	}
	deeds := []deed{
		{8, c.types},
		{4, c.undoes},
		{2, c.redoes},
		{3, func() { c.Advance(time.Duration(c.r.IntN(700)) * time.Millisecond) }},
		{7, c.stages},
		{7, c.applies},
		{2, c.rejects},
		{2, c.unrejects},
		{3, c.resolves},
		{2, c.commits},
		{1, c.reverts},
		{2, c.opensOrCloses},
		{2, c.saves},
		{1, c.changesOutside},
		{1, func() { c.say("replies come"); c.ReleaseReplies() }},
		{1, func() { c.say("late edits happen"); c.Finish() }},
	}
	total := 0
	for _, d := range deeds {
		total += d.weight
	}
	at := c.r.IntN(total)
	for _, d := range deeds {
		if at -= d.weight; at < 0 {
			d.do()
			return
		}
	}
}

// openNames are the files that the editor has open now.
func (c *chaos) openNames() []string {
	var out []string
	c.Look(func(s *lsptest.Screen) {
		for _, name := range c.names {
			if _, ok := s.Buffer(c.uri(name)); ok {
				out = append(out, name)
			}
		}
	})
	return out
}

// texts are the texts that count: the buffers', else the files'.
func (c *chaos) texts() map[string]string {
	out := map[string]string{}
	for _, name := range c.names {
		out[name] = c.read(c.t, name)
	}
	for _, name := range c.openNames() {
		out[name] = c.Text(c.uri(name))
	}
	return out
}

// unversioned reports whether an edit for an older text may go into what the editor has now.
func (c *chaos) unversioned() bool {
	return c.profile.ZeroPasses || c.profile.Raise == lsptest.RaiseAtSend
}

// words checks what no interleaving may break. Of a change that was amended after it was in the text, the user's own redo
// may bring the former words back beside the new ones.
func (c *chaos) words() {
	for _, ch := range c.host.Workspace().Snapshot().Changes() {
		for _, h := range ch.Hunks {
			for _, word := range agentWord.FindAllString(h.New, -1) {
				c.amended[word] = c.amended[word] || ch.Revision > 1
			}
		}
	}
	c.Look(func(s *lsptest.Screen) { // a text that came later than that may have been asked for twice
		c.mangled = c.mangled || c.unversioned() && s.Message("did not change within")
	})
	for name, content := range c.texts() {
		count := map[string]int{}
		for _, word := range agentWord.FindAllString(content, -1) {
			c.seen[word] = true
			if count[word]++; count[word] > 1 && !c.mangled && !c.amended[word] {
				c.fail("%s is twice in %s: %q", word, name, content)
			}
			if !c.took[word] {
				c.fail("%s is in %s, and was never taken: %q", word, name, content)
			}
		}
	}
}

// changes are those in one of the states, of the present snapshot.
func (c *chaos) changes(states ...editing.ChangeState) []*editing.Change {
	return slices.DeleteFunc(c.host.Workspace().Snapshot().Changes(), func(ch *editing.Change) bool {
		return !slices.Contains(states, ch.State)
	})
}

// take notes that the user took letters; what they would delete is answered.
func (c *chaos) take(letters []string) (deletes string) {
	for _, ch := range c.host.Workspace().Snapshot().Changes() {
		if !slices.Contains(letters, ch.Letter) {
			continue
		}
		for _, h := range ch.Hunks {
			deletes += h.Old
			for _, word := range agentWord.FindAllString(h.New, -1) {
				c.took[word], c.flying[word] = true, true
			}
		}
	}
	return deletes
}
