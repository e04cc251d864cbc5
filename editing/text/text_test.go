package text

import (
	"errors"
	"math/rand"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func FuzzApply(f *testing.F) {
	f.Add("one\r\ntwo\nthree", []byte{1, 2, 1, 'x', 0, 1, 0})
	f.Add("é\r\n\xe9", []byte{1, 1, 1, '\xc3'})
	f.Fuzz(func(t *testing.T, s string, raw []byte) {
		es := fuzzEdits(len(s), raw)
		checkText(t, mustApply(t, fromString(s, len(raw)%2 == 0), es), naive(s, es))
	})
}

func TestApplyLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	r := rand.New(rand.NewSource(1))
	for round := range 8 {
		s := randomText(r, 300<<10)
		text := fromString(s, round%2 == 0)
		checkText(t, text, s)
		for range 12 {
			es := randomEdits(r, len(s))
			text, s = mustApply(t, text, es), naive(s, es)
			checkBody(t, text)
		}
		checkText(t, text, s)
	}
}

// Chunks that an edit leaves too small, or with a character or line ending across their border, join a neighbour.
func TestChunksJoin(t *testing.T) {
	s := strings.Repeat("line\r\n漢 \r", 20<<10)
	text := fromString(s, false)
	starts := text.body().starts
	for i := 1; i+2 < len(starts); i++ {
		from, to := starts[i], starts[i+1]
		for _, es := range []Edits{
			{{from, to, ""}},
			{{from + 5, to, "x"}},
			{{from, to - 5, "x"}},
			{{from - 1, from - 1, "\r"}, {from, from, "\n"}},
			{{from - 3, from, "\r"}, {from, from + 3, "\n"}},
			{{from - 3, from, "\xe6\xbc"}, {from, from + 3, "\xa2"}},
			{{to - 3, to, "\xe6"}, {to, to + 1, "\xbc\xa2"}},
			{{from, to, "\n"}},
			{{0, from, ""}},
			{{0, from, "x"}, {to, len(s), ""}},
			{{1, len(s) - 1, ""}},
		} {
			got := mustApply(t, text, es)
			checkBody(t, got)
			if got.String() != naive(s, es) {
				t.Fatalf("%+v makes another text", es)
			}
		}
	}
}

// An edit behind a border may complete what stands before it, and the other way round.
func TestBorders(t *testing.T) {
	for _, border := range []string{"\r|\n", "\xe6\xbc|\xa2", "\xe6|\xbc\xa2", "\xf0\x9f\x98|\x80"} {
		before, behind, _ := strings.Cut(border, "|")
		left, right := strings.Repeat("l", chunkAim-len(before)), strings.Repeat("r", chunkAim)
		for name, c := range map[string]struct {
			s string
			e Edit
		}{
			"completed behind": {left + before + right, Edit{chunkAim, chunkAim, behind}},
			"completed before": {left + strings.Repeat("l", len(before)) + behind + right, Edit{chunkAim - len(before), chunkAim, before}},
			"brought together": {left + before + strings.Repeat("-", chunkAim) + behind + right, Edit{chunkAim, 2 * chunkAim, ""}},
		} {
			t.Run(name, func(t *testing.T) {
				got := mustApply(t, fromString(c.s, false), Edits{c.e})
				checkText(t, got, naive(c.s, Edits{c.e}))
			})
		}
	}
}

// randomText is n bytes or a little more of awkward pieces.
func randomText(r *rand.Rand, n int) string {
	var sb strings.Builder
	for sb.Len() < n {
		sb.WriteString(pieces[r.Intn(len(pieces))])
	}
	return sb.String()
}

// randomEdits are some edits, small ones and ones over many chunks.
func randomEdits(r *rand.Rand, n int) Edits {
	bounds := make([]int, 2*r.Intn(4)+2)
	for i := range bounds {
		bounds[i] = r.Intn(n + 1)
		if i%2 == 1 && r.Intn(2) == 0 {
			bounds[i] = min(n, bounds[i-1]+r.Intn(4))
		}
	}
	return makeEdits(bounds, []string{"", pieces[r.Intn(len(pieces))], randomText(r, r.Intn(100<<10))})
}

func TestRoundTripOfBytes(t *testing.T) {
	for _, s := range []string{"", "a", "\uFEFF", "\uFEFFimport os\n", "\uFEFF\uFEFFtwice", "caf\xe9 au lait\r\n", "10%\r50%\r\n\f\u2028"} {
		got, err := FromBytes([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		if string(got.Bytes()) != s || got.BOM() != strings.HasPrefix(s, "\uFEFF") || got.BOM() && strings.HasPrefix(got.String(), "\uFEFF") != (s == "\uFEFF\uFEFFtwice") {
			t.Errorf("%q became %q", s, got.Bytes())
		}
		if !New(s).Equal(got) || New(s).Hash() != got.Hash() {
			t.Errorf("%q differs from an editor's text", s)
		}
	}
}

func TestFromBytesRefuses(t *testing.T) {
	var large *TooLargeError
	if _, err := FromBytes(make([]byte, MaxSize+1)); !errors.As(err, &large) || large.Size != MaxSize+1 {
		t.Errorf("too large: %v", err)
	}
	if err := error(large); !strings.Contains(err.Error(), "67108865 bytes, more than the 67108864") {
		t.Error(err)
	}
	for _, s := range []string{"a\x00b", "\xe9\xe8\xe9", "\xff\xfea\x00"} {
		if _, err := FromBytes([]byte(s)); !errors.Is(err, ErrNotText) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestZeroText(t *testing.T) {
	var zero Text
	checkText(t, zero, "")
	if h := zero.Hash(); h.IsZero() || !strings.HasPrefix(h.String(), "e3b0c442") || !zero.Equal(New("")) || !zero.Equal(zero) || zero.Equal(New("\uFEFF")) || zero.Line(0) != "" || zero.LineEnd(3) != 0 || zero.EOLAt(0) != "\n" {
		t.Error("the zero text is not empty")
	}
	checkText(t, mustApply(t, zero, Edits{{0, 0, "a\n"}}), "a\n")
	checkText(t, mustApply(t, New("a\n"), Edits{{0, 2, ""}}), "")
}

func TestLinesOutsideAreTheEnds(t *testing.T) {
	text := New("a\nb\n")
	if text.LineStart(-1) != 0 || text.LineStart(9) != 4 || text.LineOf(-3) != 0 || text.LineOf(99) != 2 || text.Line(2) != "" || text.Line(9) != "" {
		t.Error("not clamped")
	}
}

func TestEOLAt(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		want   string
	}{
		{"", 0, "\n"},
		{"a", 1, "\n"},
		{"a\r\nb", 4, "\r\n"},
		{"a\r\nb\nc", 0, "\r\n"},
		{"a\r\nb\nc", 3, "\n"},
		{"a\nb\r\n", 5, "\r\n"},
		{"a\r\nb\r\nc\nd", 8, "\n"},
	} {
		if got := New(c.text).EOLAt(c.offset); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.offset, got, c.want)
		}
	}
}

func TestEqualSharesNothing(t *testing.T) {
	s := strings.Repeat("0123456789abcde\n", 20<<10)
	a := New(s)
	b := mustApply(t, mustApply(t, a, Edits{{100, 101, "X"}}), Edits{{100, 101, s[100:101]}})
	c := mustApply(t, a, Edits{{200000, 200001, "X"}})
	if !a.Equal(a) || !a.Equal(b) || a.Equal(c) || a.Equal(New(s+"x")) {
		t.Error("wrong")
	}
}

func TestConcurrentReaders(t *testing.T) {
	s := strings.Repeat("line é\r\n", 40<<10)
	text := mustApply(t, New(s), Edits{{0, 0, "x"}})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { checkText(t, text, "x"+s) })
	}
	wg.Wait()
}

func TestApplyEqualsPlainStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genText().Draw(t, "text")
		es := genEdits(len(s)).Draw(t, "edits")
		checkText(t, mustApply(t, fromString(s, false), es), naive(s, es))
	})
}
