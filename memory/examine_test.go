package memory

import (
	"fmt"
	"strings"
	"testing"
)

func TestExamine(t *testing.T) {
	const head = "---\nversion: 1\nproject: {name: p, key_paths: {main: cmd/main.go, gone: src/gone.go}}\n---\n\n# Working memory\n"
	exists := func(name string) bool { return name == "cmd/main.go" || name == "docs" }
	for _, c := range []struct{ name, overview, want string }{
		{"nothing", head + "\n## Known facts\n- one fact about it\n", "gone:1 key_paths names src/gone.go"},
		{"front", "---\nversion: [\n---\n\n## Known facts\n- a fact that stands\n", "front_matter:1"},
		{"doubled", head + "\n## Known facts\n- We deploy on Fridays\n## Key decisions\n- we deploy on fridays.\n", "doubled:11 it says what line 9 says"},
		{"contradiction", head + "\n## Known facts\n- timeout: 30 s\n- **Timeout**: 60 s\n", `contradiction:10 "Timeout" is another than on line 9`},
		{"contradiction in words", head + "\n## Known facts\n- The port is 8080\n\n## Key decisions\n- the port = 9090\n", `contradiction:12 "the port" is another than on line 9`},
		{"no contradiction", head + "\n## Known facts\n- timeout: 30 s\n- retry: 3\n", ""},
		{"steps are none", head + "\n## Recent steps\n- the user: a <!-- galley -->\n- the user: b <!-- galley -->\n", ""},
		{"gone", head + "\n## Known facts\n- see `src/old.go:12` and `cmd/main.go:3`, `go test ./...`, `a/b`\n", "gone:9 it names src/old.go"},
		{"memory gone", head + "\n## Known facts\n- more in working-memory/detail/lost.md\n", "gone:9 it names working-memory/detail/lost.md"},
		{"long", head + "\n## Known facts\n- " + strings.Repeat("word ", 200) + "\n", "too_long:9 a line of"},
		{"too long", head + "\n## Known facts\n" + numbered(400), "too_long:0 it has"},
		{"not text", "\x00\x01", "unreadable:0"},
		{"crlf", strings.ReplaceAll(head+"\n## Known facts\n- timeout: 30 s\n- timeout: 60 s\n", "\n", "\r\n"), `contradiction:10`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			writeFile(t, c.overview, s.Dir(), memoryDir, overviewFile)
			found, err := s.Examine(exists)
			ok(t, err)
			var told []string
			for _, f := range found {
				if f.Kind != FoundGone || !strings.HasPrefix(f.What, "key_paths") || c.name == "nothing" {
					told = append(told, fmt.Sprintf("%s:%d %s", f.Kind, f.Line, f.What))
				}
			}
			got := strings.Join(told, "\n")
			if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func numbered(n int) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, "- fact number %d stands\n", i)
	}
	return sb.String()
}

func TestExamineFiles(t *testing.T) {
	s := newStore(t)
	writeFile(t, "# Lost\n", s.Dir(), memoryDir, "detail", "lost.md")
	writeFile(t, strings.Repeat("long ", 20_000), s.Dir(), memoryDir, "detail", "long.md")
	found, err := s.Examine(func(string) bool { return true })
	ok(t, err)
	if got := fmt.Sprint(found); !strings.Contains(got, "{unindexed detail/lost.md") || !strings.Contains(got, "{too_long detail/long.md") {
		t.Error(got)
	}
	removeFile(t, s.Dir()+"/"+memoryDir+"/"+overviewFile)
	if found, err := s.Examine(func(string) bool { return true }); err != nil || !strings.Contains(fmt.Sprint(found), "it is not there") {
		t.Error(found, err)
	}
}

// A memory as galley makes it and keeps it has nothing to find, whatever happens.
func TestExamineFindsNothingInAFreshMemory(t *testing.T) {
	s := newStore(t)
	for i, typ := range []string{EventTaskStarted, EventDecision, EventFact, EventIssue, EventEditClosed, EventTaskCompleted, EventTaskReverted} {
		ok(t, s.Event(Event{Type: typ, Text: fmt.Sprintf("the wish number %d: it is so", i), Task: i, Edit: i, State: "committed", Files: []string{"a/gone.go"}}))
	}
	_, err := s.WriteMemory("detail/notes.md", "# Notes\n", "")
	ok(t, err)
	ok(t, s.Tend(true))
	found, err := s.Examine(func(string) bool { return false })
	if err != nil || len(found) != 0 {
		t.Errorf("%+v %v", found, err)
	}
}

func FuzzExamine(f *testing.F) {
	f.Add("- a: b\n- a: c `x/y.z` [l](detail/q.md)")
	f.Fuzz(func(t *testing.T, body string) {
		x := &examination{exists: func(string) bool { return false }}
		x.overview(body)
		x.overview("---\nversion: 1\n---\n## Known facts\n" + body)
		for _, found := range x.findings {
			if found.Line < 0 || found.Line > strings.Count(body, "\n")+10 {
				t.Fatalf("%+v of %q", found, body)
			}
		}
	})
}
