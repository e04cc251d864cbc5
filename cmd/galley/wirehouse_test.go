package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// Whatever two editors at one host do with the same files, a text of the table is always one that its keeper has told, and a
// decision from elsewhere is refused or brought in whole.
func TestTwoKeepersRandom(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 4
	}
	if os.Getenv("GALLEY_LONG") != "" {
		seeds = 600
	}
	did := map[string]int{}
	for seed := range seeds {
		if *wireSeed < 0 || seed == *wireSeed {
			t.Run(fmt.Sprint(seed), func(t *testing.T) { newHouse(t, seed, did).run(40) })
		}
	}
	for _, deed := range houseDeeds {
		if did[deed] == 0 && *wireSeed < 0 {
			t.Errorf("in no world an editor %s", deed)
		}
	}
}

// houseDeeds are what must have happened in one of the worlds.
var houseDeeds = []string{
	"opens what the other has open", "types", "types beside", "closes", "saves", "loads", "is doubted", "crashes", "commits",
	"loads what the other saved", "decides while a text is in doubt", "decides while the other types",
}

// house is a host with two editors.
type house struct {
	t     *testing.T
	r     *rand.Rand
	first *wire // opens no document, and asks the agent
	seats [2]*wire
	ids   [2]editing.Keeper
	uris  [2]map[string]string // of the files
	last  editing.Keeper
	n     int
	said  []string
	did   map[string]int

	mu      sync.Mutex // guards the rest
	keepers map[editing.Keeper]*wire
	mixed   string // a text that no keeper has told
}

var (
	houseFiles = []string{"a.txt", "b.txt"}
	houseSeats = []func() lsptest.Profile{lsptest.VSCode, lsptest.Helix, lsptest.Emacs, lsptest.Neovim010, lsptest.Neovim012, plugin, lsptest.Plain}
)

func newHouse(t *testing.T, seed int, did map[string]int) *house {
	h := &house{t: t, r: rand.New(rand.NewPCG(13, uint64(seed))), last: 1, did: did, keepers: map[editing.Keeper]*wire{}} //nolint:gosec // a seed
	files := map[string]string{}
	for _, name := range houseFiles {
		for i := range 6 {
			files[name] += fmt.Sprintf("é😀 line %d\n", i)
		}
	}
	h.first = newWire(t, lsptest.Plain(), wireOptions{files: files})
	var counts [2]bool // in UTF-8, not in UTF-16
	for i := range h.seats {
		p := houseSeats[h.r.IntN(len(houseSeats))]()
		for counts[i] = slices.Contains(p.Encodings, "utf-8"); i == 1 && seed%4 > 0 && counts[0] == counts[1]; { // most often each its own
			p = houseSeats[h.r.IntN(len(houseSeats))]()
			counts[i] = slices.Contains(p.Encodings, "utf-8")
		}
		h.sit(i, p)
		for _, name := range houseFiles {
			if h.r.IntN(4) > 0 {
				h.seats[i].open(t, name)
				h.seats[i].heard(t)
			}
		}
	}
	return h
}

func (h *house) sit(i int, p lsptest.Profile) {
	h.seats[i] = h.first.beside(h.t, p)
	h.last++
	h.ids[i], h.uris[i] = h.last, map[string]string{}
	h.mu.Lock()
	h.keepers[h.last] = h.seats[i]
	h.mu.Unlock()
	for _, name := range houseFiles {
		h.uris[i][name] = h.seats[i].uri(name)
	}
	h.say("%d is %s %s", i, p.Name, p.Version)
}

func (h *house) say(format string, args ...any) {
	h.said = append(h.said, fmt.Sprintf(format, args...))
}

func (h *house) fail(format string, args ...any) {
	h.t.Helper()
	h.t.Fatalf(format+"\n%s\n%s\n%s", append(args, strings.Join(h.said, "\n"), h.seats[0].Dump(), h.seats[1].Dump())...)
}

// watch follows the table until ctx ends: a text that an editor keeps is one that it has told, at every moment.
func (h *house) watch(ctx context.Context) {
	for seq := int64(-1); ; {
		snap, err := h.first.host.Workspace().Wait(ctx, seq)
		if err != nil {
			return
		}
		seq = snap.Seq
		h.mu.Lock()
		for _, name := range houseFiles {
			d, ok := snap.Document(h.first.path(name))
			if !ok || h.keepers[d.Keeper] == nil || len(d.Heirs) > 0 {
				continue
			}
			w := h.keepers[d.Keeper]
			if base := d.Base.String(); !slices.ContainsFunc(w.Told(w.uri(name)), func(told string) bool { return bare(told) == bare(base) }) {
				h.mixed = fmt.Sprintf("%s, of %d, was %q, which its keeper has never told", name, d.Keeper, base)
			}
		}
		h.mu.Unlock()
	}
}

func (h *house) run(steps int) {
	ctx, cancel := context.WithCancel(context.Background())
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		h.watch(ctx)
	}()
	defer func() {
		cancel()
		<-watched
	}()
	for range steps {
		h.step(h.r.IntN(2), houseFiles[h.r.IntN(len(houseFiles))])
		h.rest()
	}
	for _, w := range h.seats {
		w.close(h.t)
	}
	h.first.close(h.t)
}

func (h *house) has(i int, name string) (open bool) {
	w := h.seats[i]
	w.Look(func(s *lsptest.Screen) { _, open = s.Buffer(w.uri(name)) })
	return open
}

// step is one deed of one editor, about one file.
func (h *house) step(i int, name string) {
	w, uri := h.seats[i], h.seats[i].uri(name)
	open := h.has(i, name)
	switch deed := h.r.IntN(16); {
	case deed < 3 && !open:
		h.does(i, "opens", name)
		if h.has(1-i, name) {
			h.did["opens what the other has open"]++
		}
		w.open(h.t, name)
	case deed < 4 && open:
		h.types(i, name)
	case deed == 4 && open:
		h.does(i, "closes", name)
		w.CloseBuffer(uri)
	case deed == 5 && open:
		h.does(i, "saves", name)
		saves2(h.t, w, uri)
		if h.has(1-i, name) && h.r.IntN(2) == 0 { // by itself, or its user does
			h.does(1-i, "loads what the other saved", name)
			if err := h.seats[1-i].Reload(h.uris[1-i][name]); err != nil {
				h.t.Error(err)
			}
		}
	case deed == 6 && open:
		h.does(i, "loads", name)
		if err := w.Reload(uri); err != nil {
			h.t.Error(err)
		}
	case deed == 7:
		h.does(i, "crashes", "")
		p := w.Profile()
		w.crash(h.t)
		h.sit(i, p)
	case deed == 8 && open:
		h.does(i, "is doubted", name)
		w.Flush()
		w.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri}, "contentChanges": []any{}})
		h.types(i, name)
		w.heard(h.t)
		if h.r.IntN(2) == 0 && h.applies(h.r.IntN(2)) {
			h.does(i, "decides while a text is in doubt", name)
		}
		h.say("%d saves %s", i, name)
		saves2(h.t, w, uri)
	case deed < 11:
		h.stages(name)
	case deed == 15:
		h.does(i, "commits", "")
		h.decides(w, "galley.commit")
	default:
		h.applies(i)
	}
}

// does says and counts a deed.
func (h *house) does(i int, deed, name string) {
	h.did[deed]++
	h.say("%d %s %s", i, deed, name)
}

func saves2(t *testing.T, w *wire, uri string) {
	if err := w.Save(uri); err != nil {
		t.Error(err)
	}
}

// types writes a word; beside the keeper nobody hears of it.
func (h *house) types(i int, name string) {
	w := h.seats[i]
	d, ok := h.first.host.Workspace().Snapshot().Document(w.path(name))
	h.n++
	lines := strings.SplitAfter(w.Text(w.uri(name)), "\n")
	at := h.r.IntN(len(lines))
	word, place := fmt.Sprintf("«%d»\n", h.n), lsptest.LineCol(at, 0)
	if end := strings.TrimRight(strings.Join(lines[:at+1], ""), "\n"); h.r.IntN(2) == 0 && end != "" { // behind what each counts in its own way
		word, place = fmt.Sprintf("«%d»", h.n), lsptest.Offset(len(end))
	}
	h.say("%d types %q into line %d of %s", i, word, at, name)
	h.did["types"]++
	w.Type(w.uri(name), place, word)
	if ok && d.Open() && d.Keeper != h.ids[i] {
		h.did["types beside"]++
		w.heard(h.t)
		if now, _ := h.first.host.Workspace().Snapshot().Document(w.path(name)); now != d {
			h.fail("typing beside the keeper moved the table: %s was %s", quoted(now), quoted(d))
		}
	}
}

func (h *house) stages(name string) {
	h.n++
	line := fmt.Sprintf("é😀 line %d", h.r.IntN(6))
	h.say("the agent changes %s in %s, agent%dx", line, name, h.n)
	h.first.ask(h.t, replace(name, line, fmt.Sprintf("%s agent%dx", strings.ToUpper(line), h.n)))
}

// applies decides about a letter, mostly while somebody has typed what is not sent yet.
func (h *house) applies(i int) bool {
	cs := slices.DeleteFunc(h.first.host.Workspace().Snapshot().Changes(), func(c *editing.Change) bool { return c.State != editing.Staged })
	if len(cs) == 0 {
		return false
	}
	c := cs[h.r.IntN(len(cs))]
	other := 1 - i
	unsent := h.r.IntN(2) == 0 && h.has(other, c.Name)
	if unsent {
		h.seats[other].Freeze()
		h.n++
		h.does(i, "decides while the other types", c.Name)
		h.seats[other].Type(h.seats[other].uri(c.Name), lsptest.Offset(0), fmt.Sprintf("«%d»\n", h.n))
	}
	h.say("%d applies %s", i, c.Letter)
	call := h.seats[i].BeginCommand("galley.apply", map[string]any{"change": c.Letter, "revision": c.Revision})
	if unsent {
		h.answered(call, h.seats[other])
		h.seats[other].Thaw()
		return true
	}
	h.answered(call, nil)
	return true
}

func (h *house) decides(w *wire, command string) { h.answered(w.BeginCommand(command), nil) }

// answered waits for a command, while texts go on to be told; of one editor not before an edit has come to it.
func (h *house) answered(call *lsptest.Call, silent *wire) {
	edits := func() (n int) {
		silent.Look(func(s *lsptest.Screen) { n = len(s.Edits) })
		return n
	}
	before := 0
	if silent != nil {
		before = edits()
	}
	done := make(chan error, 1)
	go func() {
		_, err := call.Result(context.Background())
		done <- err
	}()
	for {
		for _, w := range h.seats {
			if w != silent || edits() > before {
				w.Flush()
			}
		}
		select {
		case err := <-done:
			var refused *lsptest.ResponseError
			if err != nil && (!errors.As(err, &refused) || refused.Code != -32803) {
				h.fail("%v", err)
			}
			h.say("it is answered: %v", err)
			return
		case <-time.After(10 * time.Millisecond): // what the editors hold is told, whatever came to them
		}
	}
}

func (h *house) flush() {
	for _, w := range h.seats {
		w.Flush()
	}
}

var agentLine = regexp.MustCompile(`(?m)^É😀 LINE \d agent\d+x(«\d+»)*$`)

// rest waits until nothing is under way, and compares.
func (h *house) rest() {
	for _, w := range h.seats {
		w.heard(h.t)
	}
	late := time.Now().Add(lsptest.Patience)
	for seq := int64(-1); ; {
		h.flush()
		snap := h.first.host.Workspace().Snapshot()
		problem := h.compared(snap)
		if problem == "" {
			break
		}
		if time.Now().After(late) {
			h.fail("%s", problem)
		}
		seq = snap.Seq
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		_, _ = h.first.host.Workspace().Wait(ctx, seq)
		cancel()
	}
	for i, w := range h.seats {
		difference := ""
		err := w.Wait(context.Background(), "its letters are shown", func(s *lsptest.Screen) bool {
			difference = ""
			for _, name := range houseFiles {
				if got, want := slices.Sorted(slices.Values(s.Codes(h.uris[i][name]))), h.shown(s, i, name); !slices.Equal(got, want) {
					difference = fmt.Sprintf("%d shows %v of %s, and should show %v", i, got, name, want)
				}
			}
			return difference == ""
		})
		if err != nil {
			h.fail("%s", difference)
		}
	}
}

// compared is what is not as it must be.
func (h *house) compared(s *editing.Snapshot) string {
	h.mu.Lock()
	mixed := h.mixed
	h.mu.Unlock()
	switch {
	case mixed != "":
		return mixed
	case busy(s):
		return "something is under way"
	}
	for _, name := range houseFiles {
		d, ok := s.Document(h.first.path(name))
		if !ok {
			continue
		}
		text := h.first.read(h.t, name)
		for i, w := range h.seats {
			if h.ids[i] == d.Keeper {
				text = w.Text(w.uri(name))
			}
		}
		if base := d.Base.String(); len(d.Heirs) > 0 || base != text && bare(base) != bare(text) {
			return fmt.Sprintf("%s, of %d (%v), is %q, and its keeper has %q", name, d.Keeper, d.Heirs, base, text)
		}
		for i := range 6 {
			if n := strings.Count(strings.ToLower(text), fmt.Sprintf("é😀 line %d", i)); n != 1 {
				return fmt.Sprintf("line %d stands %d times in %s: something landed beside: %q", i, n, name, text)
			}
		}
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "agent") && !agentLine.MatchString(line) {
				return fmt.Sprintf("%s landed beside, in %s", line, name)
			}
		}
	}
	return ""
}

// shown are the letters that an editor is to show of a file.
func (h *house) shown(s *lsptest.Screen, i int, name string) (letters []string) {
	d, ok := h.first.host.Workspace().Snapshot().Document(h.first.path(name))
	if !ok {
		return nil
	}
	if b, open := s.Buffer(h.uris[i][name]); open && d.Keeper != h.ids[i] && b.Text != d.Base.String() {
		return nil
	}
	for _, c := range d.Changes() {
		if c.State.Undecided() {
			letters = append(letters, c.Letter)
		}
	}
	slices.Sort(letters)
	return letters
}
