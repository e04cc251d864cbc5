package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestR36OverviewInTrouble is case 18 and rule 36: what is wrong with the file is
// said in the request; it is never silently empty, never too long.
func TestR36OverviewInTrouble(t *testing.T) {
	front := "---\nversion: 1\n---\n"
	for _, c := range []struct {
		name, text string
		budget     int
		warning    string // "" for none
		shown      []string
		hidden     []string
	}{
		{"fine", front + "# Notes\nhello\n", 0, "", []string{"hello"}, nil},
		{"empty", "", 0, "it is empty", nil, nil},
		{"only prose", "hello\n", 0, "no front matter", []string{"hello"}, nil},
		{"broken front matter", "---\na: [\n---\nhello\n", 0, "front matter is not valid", []string{"hello", "a: ["}, nil},
		{"a key of another kind", "---\nversion: 1\nissues: none\n---\nhello\n", 0, "front matter is not valid", []string{"hello"}, nil},
		{"front matter without end", "---\na: 1\nhello\n", 0, "not closed", []string{"hello"}, nil},
		{"UTF-16", "\xff\xfeh\x00e\x00l\x00l\x00o\x00", 0, "not UTF-8 text", nil, []string{"\x00"}},
		{"Latin-1", front + "caf\xe9 and so on, for long enough\n", 0, "bytes that are not UTF-8", []string{"caf� and"}, nil},
		{"a BOM", "\ufeff" + front + "hello\n", 0, "", []string{front + "hello"}, []string{"\ufeff"}},
		{"over 5 KB", front + strings.Repeat("a line\n", 800), 0, "5.5 KB, over 5 KB", []string{"a line"}, nil},
		{
			"over its budget", front + "## Current task\nthe goal\n## Key decisions\nkeep it\n## Recent steps\nfirst step\n" + strings.Repeat("a step\n", 40) + "last step\n",
			200, "over its budget of 200 bytes: 26 lines are left out",
			[]string{"version: 1", "the goal", "keep it", "last step", "## Recent steps"},
			[]string{"first step"},
		},
		{"5 MB", front + strings.Repeat("a line of text\n", 350_000) + "the end\n", 0, "over its budget of 16 KB", []string{"the end"}, nil},
		{"one line of 5 MB", front + strings.Repeat("x", 5<<20), 0, "1 lines are left out", []string{"version: 1"}, []string{"xxx"}},
		{"headings only", front + strings.Repeat("## h\n", 50_000), 100, "over its budget", []string{"## h"}, nil},
		{"front matter only", "---\n" + strings.Repeat("a: 1 # one of many\n", 20) + "---\n", 100, "over its budget", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			writeFile(t, c.text, s.Dir(), memoryDir, overviewFile)
			req, meta := s.Request(RequestInput{OverviewBudget: c.budget})
			block := req.Messages[len(req.Messages)-1].Content
			if !utf8.ValidString(block) || len(block) > 18<<10 {
				t.Errorf("a block of %d bytes, valid: %v", len(block), utf8.ValidString(block))
			}
			for _, want := range c.shown {
				if !strings.Contains(block, want) {
					t.Errorf("%q is not shown", want)
				}
			}
			for _, no := range c.hidden {
				if strings.Contains(block, no) {
					t.Errorf("%q is shown", no)
				}
			}
			all := strings.Join(meta.Warnings, "\n")
			if !strings.Contains(all, c.warning) || (c.warning == "") != (all == "") || !strings.Contains(block, all) {
				t.Errorf("warnings %q", meta.Warnings)
			}
			if meta.WorkingMemorySize != len(c.text) && utf8.ValidString(c.text) {
				t.Errorf("size %d of %d", meta.WorkingMemorySize, len(c.text))
			}
		})
	}
}

func TestR36OverviewThatCannotBeRead(t *testing.T) {
	s := newStore(t)
	path := filepath.Join(s.Dir(), memoryDir, overviewFile)
	for name, spoil := range map[string]func() error{
		"a directory": func() error { return os.Mkdir(path, 0o700) },
		"a link":      func() error { return os.Symlink("/etc/hostname", path) },
	} {
		t.Run(name, func(t *testing.T) {
			ok(t, os.RemoveAll(path))
			ok(t, spoil())
			_, meta := s.Request(RequestInput{})
			if len(meta.Warnings) != 1 || !strings.HasPrefix(meta.Warnings[0], "⚠️ working-memory/overview.md: ") {
				t.Errorf("warnings %q", meta.Warnings)
			}
		})
	}
}

// TestR36CutLines: what is left fits, is made of whole lines in their order, and
// says how many are gone.
func TestR36CutLines(t *testing.T) {
	if got, lost := cutLines("---\n---\n## Current task", 16); got != "---\n---" || lost != 1 {
		t.Errorf("nothing is left behind the front matter: %q, %d lost", got, lost)
	}
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"---", "## Current task", "## Recent steps", "## Known facts", "# other", "text", "a longer line of text", "", "```", "ü"})
		text := strings.Join(rapid.SliceOf(line).Draw(t, "lines"), "\n")
		budget := rapid.IntRange(0, 200).Draw(t, "budget")
		got, lost := cutLines(text, budget)
		if len(got) > budget {
			t.Fatalf("%d bytes are left of %d, with a budget of %d: %q", len(got), len(text), budget, got)
		}
		if len(text) <= budget && (got != text || lost != 0) {
			t.Fatalf("cut without need: %q", got)
		}
		all, kept := strings.Split(text, "\n"), strings.Split(got, "\n")
		i := 0
		for _, l := range all {
			if i < len(kept) && kept[i] == l {
				i++
			}
		}
		if got != "" && (i != len(kept) || len(all)-len(kept) != lost) {
			t.Fatalf("%d lines of %d are kept, %d lost\nof   %q\nleft %q", len(kept), len(all), lost, text, got)
		}
	})
}

// BenchmarkOverview: bringing the overview in, and keeping it in order, takes at most 1 ms
// of a request.
func BenchmarkOverview(b *testing.B) {
	s := newStore(b)
	for n := range mostDetail {
		writeFile(b, fmt.Sprintf("# Topic %d\n", n), s.Dir(), memoryDir, detailDir, fmt.Sprintf("%d.md", n))
	}
	for n := range 100 {
		ok(b, s.Event(Event{Type: EventFact, Text: fmt.Sprintf("a line of the working memory, number %d", n)}))
	}
	for b.Loop() {
		ok(b, s.Tend(true))
		if o := s.overview(0); !strings.Contains(o.text, "number 99") || !strings.Contains(o.text, "Topic 9") {
			b.Fatal(o)
		}
	}
	b.ReportMetric(1, "aim-ms")
}
