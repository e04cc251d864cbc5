package text

import (
	"testing"

	"pgregory.net/rapid"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name string
		es   Edits
		ok   bool
	}{
		{"none", nil, true},
		{"side by side", Edits{{0, 1, "x"}, {1, 2, "y"}}, true},
		{"insertion between replacements", Edits{{0, 1, "x"}, {1, 1, "i"}, {1, 2, "y"}}, true},
		{"at the end", Edits{{5, 5, "x"}}, true},
		{"two insertions at one point", Edits{{1, 1, "x"}, {1, 1, "y"}}, false},
		{"insertion behind the start of a replacement", Edits{{1, 2, "x"}, {1, 1, "y"}}, false},
		{"overlap", Edits{{0, 3, ""}, {2, 4, ""}}, false},
		{"unsorted", Edits{{3, 4, ""}, {0, 1, ""}}, false},
		{"negative", Edits{{-1, 0, ""}}, false},
		{"backwards", Edits{{2, 1, ""}}, false},
		{"behind the end", Edits{{5, 6, ""}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.es.Validate(5); (err == nil) != c.ok {
				t.Errorf("got %v", err)
			}
			if _, err := New("12345").Apply(c.es); (err == nil) != c.ok {
				t.Errorf("apply: %v", err)
			}
		})
	}
}

func TestMap(t *testing.T) {
	es := Edits{{2, 2, "ii"}, {4, 6, "R"}, {8, 10, ""}}
	for _, c := range []struct {
		offset int
		after  bool
		want   int
	}{
		{0, true, 0},
		{2, false, 2},
		{2, true, 4},
		{3, false, 5},
		{4, false, 6}, // before the replacement that starts there
		{4, true, 6},
		{5, false, 6}, // inside: its start or its end
		{5, true, 7},
		{6, false, 7},
		{6, true, 7},
		{9, false, 9},
		{9, true, 9},
		{10, false, 9},
		{12, true, 11},
	} {
		if got := es.Map(c.offset, c.after); got != c.want {
			t.Errorf("Map(%d, %v) = %d, want %d", c.offset, c.after, got, c.want)
		}
	}
}

func TestMapperIsMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genText().Draw(t, "text")
		es := genEdits(len(s)).Draw(t, "edits")
		moved := es.Mapper()
		for offset := range len(s) + 1 {
			for _, after := range []bool{false, true} {
				if got, want := moved(offset, after), es.Map(offset, after); got != want {
					t.Fatalf("Mapper says %d for (%d, %v), Map %d", got, offset, after, want)
				}
			}
		}
	})
}

func TestInvertTakesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genText().Draw(t, "text")
		es := genEdits(len(s)).Draw(t, "edits")
		before := fromString(s, false)
		after := mustApply(t, before, es)
		if got := after.Len() - before.Len(); got != es.Delta() {
			t.Fatalf("delta %d, want %d", es.Delta(), got)
		}
		checkText(t, mustApply(t, after, es.Invert(before)), s)
	})
}

func TestTrim(t *testing.T) {
	for _, c := range []struct {
		name, text string
		es, want   Edits
	}{
		{"both ends", "abcde", Edits{{0, 5, "abXde"}}, Edits{{2, 3, "X"}}},
		{"identity", "abc", Edits{{0, 3, "abc"}}, nil},
		{"insertion of a repeated piece", "aa", Edits{{0, 2, "aaa"}}, Edits{{2, 2, "a"}}},
		{"code point", "é", Edits{{0, 2, "è"}}, Edits{{0, 2, "è"}}},
		{"crlf to lf", "a\r\nb", Edits{{0, 4, "a\nb"}}, Edits{{1, 3, "\n"}}},
		{"lf to crlf", "a\nb", Edits{{0, 3, "a\r\nb"}}, Edits{{1, 2, "\r\n"}}},
		{"cr before the newline behind", "x\r\r\n", Edits{{1, 3, "\r"}}, Edits{{1, 2, ""}}},
		{"one of two is the same", "abc", Edits{{0, 1, "a"}, {2, 3, "x"}}, Edits{{2, 3, "x"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkEdits(t, c.es.Trim(New(c.text)), c.want)
		})
	}
}

func TestTrimKeepsTheResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genText().Draw(t, "text")
		es := genEdits(len(s)).Draw(t, "edits")
		text := fromString(s, false)
		if got := mustApply(t, text, es.Trim(text)).String(); got != naive(s, es) {
			t.Fatalf("trimmed edits make %q", got)
		}
	})
}

func checkEdits(t *testing.T, got, want Edits) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}

func TestCompose(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b, want Edits
	}{
		{"apart", Edits{{0, 0, "x"}}, Edits{{5, 6, "y"}}, Edits{{0, 0, "x"}, {4, 5, "y"}}},
		{"inside what was inserted", Edits{{1, 1, "abc"}}, Edits{{2, 3, "B"}}, Edits{{1, 1, "aBc"}}},
		{"takes it back", Edits{{1, 1, "abc"}}, Edits{{1, 4, ""}}, nil},
		{"behind it", Edits{{1, 2, "abc"}}, Edits{{4, 4, "d"}}, Edits{{1, 2, "abcd"}}},
		{"before it", Edits{{1, 2, "abc"}}, Edits{{1, 1, "d"}}, Edits{{1, 2, "dabc"}}},
		{"across two", Edits{{1, 2, "A"}, {4, 5, "B"}}, Edits{{1, 5, "-"}}, Edits{{1, 5, "-"}}},
		{"in a deletion", Edits{{1, 4, ""}}, Edits{{1, 1, "n"}}, Edits{{1, 4, "n"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkEdits(t, Compose(c.a, c.b), c.want)
		})
	}
}

func TestSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genText().Draw(t, "text")
		was, now, steps := fromString(s, false), fromString(s, false), []Edit{}
		for range rapid.IntRange(0, 9).Draw(t, "steps") {
			for _, e := range genEdits(now.Len()).Draw(t, "edits") {
				if e.End <= now.Len() {
					steps, now = append(steps, e), mustApply(t, now, Edits{e})
				}
			}
		}
		es, err := Sequence(was.Len(), steps)
		if err != nil {
			t.Fatal(err)
		}
		if got := mustApply(t, was, es); !got.Equal(now) {
			t.Fatalf("%v make %q, in sequence %q", es, got.String(), now.String())
		}
	})
	if _, err := Sequence(3, []Edit{{Start: 0, End: 2}, {Start: 1, End: 2}}); err == nil {
		t.Error("a step behind the end of what the one before left was taken")
	}
}

func TestTransform(t *testing.T) {
	for _, c := range []struct {
		name   string
		a, b   Edits
		aFirst bool
		want   Edits
	}{
		{"nothing happened", Edits{{0, 1, "x"}, {1, 1, "i"}, {1, 2, "y"}}, nil, false, Edits{{0, 1, "x"}, {1, 1, "i"}, {1, 2, "y"}}},
		{"shifted", Edits{{4, 5, "x"}}, Edits{{0, 0, "abc"}}, true, Edits{{7, 8, "x"}}},
		{"insertions at one point, a first", Edits{{2, 2, "a"}}, Edits{{2, 2, "b"}}, true, Edits{{2, 2, "a"}}},
		{"insertions at one point, b first", Edits{{2, 2, "a"}}, Edits{{2, 2, "b"}}, false, Edits{{3, 3, "a"}}},
		{"insertion stays before a replacement", Edits{{2, 2, "a"}}, Edits{{2, 4, "b"}}, false, Edits{{2, 2, "a"}}},
		{"replacement stays behind an insertion", Edits{{2, 4, "a"}}, Edits{{2, 2, "b"}}, true, Edits{{3, 5, "a"}}},
		{"typed inside", Edits{{2, 6, "a"}}, Edits{{4, 4, "u"}}, true, Edits{{2, 4, "a"}, {5, 7, ""}}},
		{"both delete", Edits{{2, 6, ""}}, Edits{{4, 8, ""}}, true, Edits{{2, 4, ""}}},
		{"gone, new text kept", Edits{{2, 6, "a"}}, Edits{{0, 8, ""}}, true, Edits{{0, 0, "a"}}},
		{"two meet", Edits{{2, 3, "a"}, {5, 6, "b"}}, Edits{{0, 8, ""}}, true, Edits{{0, 0, "ab"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkEdits(t, Transform(c.a, c.b, c.aFirst), c.want)
		})
	}
}

func FuzzTransform(f *testing.F) {
	f.Add("abcdefghij", []byte{1, 2, 1, 'x', 0, 1, 0}, []byte{0, 3, 2, 'y', 'z', 2, 0, 1, 'w'}, true)
	f.Add("abcdefghij", []byte{2, 0, 1, 'x'}, []byte{2, 0, 1, 'y'}, false)
	f.Add("aa\r\nbb\n", []byte{0, 7, 1, 'x'}, []byte{1, 2, 1, 'y', 0, 2, 1, 'z'}, true)
	f.Fuzz(func(t *testing.T, s string, rawA, rawB []byte, aFirst bool) {
		a, b := fuzzEdits(len(s), rawA), fuzzEdits(len(s), rawB)
		base := fromString(s, false)
		overB := mustApply(t, mustApply(t, base, b), Transform(a, b, aFirst))
		overA := mustApply(t, mustApply(t, base, a), Transform(b, a, !aFirst))
		if overA.String() != overB.String() {
			t.Fatalf("a %+v, b %+v: %q and %q", a, b, overB.String(), overA.String())
		}
	})
}

func FuzzCompose(f *testing.F) {
	f.Add("abcdefghij", []byte{1, 2, 1, 'x', 0, 1, 0}, []byte{0, 3, 2, 'y', 'z', 2, 0, 1, 'w'})
	f.Add("abcdefghij", []byte{2, 0, 3, 'x', 'y', 'z'}, []byte{2, 3, 0})
	f.Fuzz(func(t *testing.T, s string, rawA, rawB []byte) {
		a := fuzzEdits(len(s), rawA)
		between := naive(s, a)
		b := fuzzEdits(len(between), rawB)
		both := Compose(a, b)
		if got := mustApply(t, fromString(s, false), both).String(); got != naive(between, b) {
			t.Fatalf("a %+v, b %+v: %+v makes %q", a, b, both, got)
		}
		for i := 1; i < len(both); i++ {
			if both[i-1].End == both[i].Start {
				t.Fatalf("a %+v, b %+v: pieces of %+v touch", a, b, both)
			}
		}
	})
}
