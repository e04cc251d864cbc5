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
	"testing"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// Whatever two editors at one host do with the same files, a text of the table is always its keeper's, and a decision
// from elsewhere is refused or brought in whole.
func TestTwoKeepersRandom(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 4
	}
	if os.Getenv("GALLEY_LONG") != "" {
		seeds = 600
	}
	for seed := range seeds {
		if *wireSeed < 0 || seed == *wireSeed {
			t.Run(fmt.Sprint(seed), func(t *testing.T) { newHouse(t, seed).run(40) })
		}
	}
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
}

var (
	houseFiles = []string{"a.txt", "b.txt"}
	houseSeats = []func() lsptest.Profile{lsptest.VSCode, lsptest.Helix, lsptest.Emacs, lsptest.Neovim010, lsptest.Neovim012, plugin, lsptest.Plain}
)

func newHouse(t *testing.T, seed int) *house {
	h := &house{t: t, r: rand.New(rand.NewPCG(13, uint64(seed))), last: 1} //nolint:gosec // a seed
	files := map[string]string{}
	for _, name := range houseFiles {
		for i := range 6 {
			files[name] += fmt.Sprintf("é line %d\n", i)
		}
	}
	h.first = newWire(t, lsptest.Plain(), wireOptions{files: files})
	for i := range h.seats {
		h.sit(i, houseSeats[h.r.IntN(len(houseSeats))]())
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

func (h *house) run(steps int) {
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
		h.say("%d opens %s", i, name)
		w.open(h.t, name)
	case deed < 4 && open:
		h.types(i, name)
	case deed == 4 && open:
		h.say("%d closes %s", i, name)
		w.CloseBuffer(uri)
	case deed == 5 && open:
		h.say("%d saves %s", i, name)
		saves2(h.t, w, uri)
	case deed == 6 && open:
		h.say("%d loads %s", i, name)
		if err := w.Reload(uri); err != nil {
			h.t.Error(err)
		}
	case deed == 7:
		h.say("%d crashes", i)
		p := w.Profile()
		w.crash(h.t)
		h.sit(i, p)
	case deed == 8 && open:
		h.say("%d is doubted, and saves %s", i, name)
		w.Flush()
		w.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri}, "contentChanges": []any{}})
		h.types(i, name)
		w.heard(h.t)
		saves2(h.t, w, uri)
	case deed < 11:
		h.stages(name)
	case deed == 15:
		h.say("%d commits", i)
		h.decides(w, "galley.commit")
	default:
		h.applies(i)
	}
}

func saves2(t *testing.T, w *wire, uri string) {
	if err := w.Save(uri); err != nil {
		t.Error(err)
	}
}

// types writes a word; beside the keeper nobody hears of it.
func (h *house) types(i int, name string) {
	w, seq := h.seats[i], h.first.host.Workspace().Snapshot().Seq
	h.n++
	at := h.r.IntN(strings.Count(w.Text(w.uri(name)), "\n") + 1)
	h.say("%d types «%d» into line %d of %s", i, h.n, at, name)
	w.Type(w.uri(name), lsptest.LineCol(at, 0), fmt.Sprintf("«%d»\n", h.n))
	d, ok := h.first.host.Workspace().Snapshot().Document(w.path(name))
	if ok && d.Open() && d.Keeper != h.ids[i] {
		w.heard(h.t)
		if now := h.first.host.Workspace().Snapshot(); now.Seq != seq {
			h.fail("typing beside the keeper moved the table")
		}
	}
}

func (h *house) stages(name string) {
	h.n++
	line := fmt.Sprintf("é line %d", h.r.IntN(6))
	h.say("the agent changes %s in %s, agent%dx", line, name, h.n)
	h.first.ask(h.t, replace(name, line, fmt.Sprintf("%s agent%dx", strings.ToUpper(line), h.n)))
}

// applies decides about a letter, mostly while somebody has typed what is not sent yet.
func (h *house) applies(i int) {
	cs := slices.DeleteFunc(h.first.host.Workspace().Snapshot().Changes(), func(c *editing.Change) bool { return c.State != editing.Staged })
	if len(cs) == 0 {
		return
	}
	c := cs[h.r.IntN(len(cs))]
	other := 1 - i
	unsent := h.r.IntN(2) == 0 && h.has(other, c.Name)
	if unsent {
		h.seats[other].Freeze()
		h.n++
		h.say("%d types «%d», not sent", other, h.n)
		h.seats[other].Type(h.seats[other].uri(c.Name), lsptest.Offset(0), fmt.Sprintf("«%d»\n", h.n))
	}
	h.say("%d applies %s", i, c.Letter)
	call := h.seats[i].BeginCommand("galley.apply", map[string]any{"change": c.Letter, "revision": c.Revision})
	if unsent {
		h.answered(call, h.seats[other])
		h.seats[other].Thaw()
		return
	}
	h.answered(call, nil)
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

var agentLine = regexp.MustCompile(`(?m)^É LINE \d agent\d+x$`)

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
	if busy(s) {
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
			if n := strings.Count(strings.ToLower(text), fmt.Sprintf("é line %d", i)); n != 1 {
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
