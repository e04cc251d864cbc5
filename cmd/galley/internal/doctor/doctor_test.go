package doctor

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

// newTestDoctor looks around in folders of its own, with the variables given.
func newTestDoctor(t *testing.T, env map[string]string) (*doctor, *strings.Builder) {
	t.Helper()
	out := &strings.Builder{}
	for _, name := range []string{"OPENAI_API_KEY", "OLLAMA_HOST"} {
		t.Setenv(name, env[name])
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	d := &doctor{env: os.Getenv}
	d.Config = Config{
		Console: term.Console{Out: term.Screen{W: out}, Err: term.Screen{W: out}}, Loaded: settings.Load(settings.Sources{}),
		Home: filepath.Join(t.TempDir(), "home"), Workspace: t.TempDir(),
	}
	d.patient = patience{answer: 10 * time.Second, reply: 10 * time.Second}
	return d, out
}

// at lets the doctor look at a server.
func (d *doctor) at(url, name string) {
	d.Loaded.Settings.Model.BaseURL, d.Loaded.Settings.Model.Model = url, name
}

// marks are the signs of what was found, in order: ✓, !, ✗.
func (d *doctor) marks() string {
	signs := map[mark]string{markGood: "✓", markLook: "!", markBad: "✗"}
	var all strings.Builder
	for _, f := range d.found {
		all.WriteString(signs[f.Mark])
	}
	return all.String()
}

func TestDoctorLooksAtFolders(t *testing.T) {
	d, out := newTestDoctor(t, nil)
	home := d.Home
	d.folders(t.Context())
	if strings.Contains(d.marks(), "✗") || !strings.Contains(out.String(), "which the first one makes") {
		t.Errorf("before the first session: %s\n%s", d.marks(), out)
	}
	if _, err := os.Stat(home); err == nil {
		t.Error("it made the folder")
	}
	if err := os.MkdirAll(filepath.Join(home, "sessions"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.folders(t.Context())
	if unixPermissions && !strings.Contains(out.String(), "others can look into") {
		t.Errorf("it does not mind a folder that others can read:\n%s", out)
	}
	if left, _ := os.ReadDir(home); len(left) != 1 {
		t.Errorf("it leaves %v", left)
	}
	d, out = newTestDoctor(t, nil)
	d.Home = filepath.Join(d.Workspace, "file", "home")
	if err := os.WriteFile(filepath.Dir(d.Home), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d.folders(t.Context())
	if !strings.HasPrefix(d.marks(), "✗") || !strings.Contains(out.String(), "GALLEY_HOME") {
		t.Errorf("a file in the way: %s\n%s", d.marks(), out)
	}
}

func TestDoctorTellsWhoHasASession(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Config{Home: home, Workspace: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	tools.Run(t.Context(), s, memory.ToolCall{Name: "memo_append", Arguments: `{"path":"a.txt","text":"two\n"}`})
	d, out := newTestDoctor(t, nil)
	d.Home, d.Workspace = home, dir
	d.sessions()
	for _, says := range []string{"1 session of this workspace, 1 with letters that wait", "is in use by process " + strconv.Itoa(os.Getpid())} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("it does not say %q:\n%s", says, out)
		}
	}
	if err := os.WriteFile(filepath.Join(s.Dir(), "lock"), []byte("-7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, out = newTestDoctor(t, nil)
	d.Home, d.Workspace = home, dir
	d.sessions()
	if d.marks() != "✓!" || !strings.Contains(out.String(), "no such process") {
		t.Errorf("a lock of nobody: %s\n%s", d.marks(), out)
	}
}

func TestDoctorLooksAtWatchLimits(t *testing.T) {
	for _, test := range []struct{ watches, instances, marks string }{
		{"65536", "128", "✓"}, {"1024", "128", "!"}, {"65536", "8", "!"}, {"", "", ""}, {"what", "128", "✓"},
	} {
		d, _ := newTestDoctor(t, nil)
		dir := t.TempDir()
		for name, text := range map[string]string{"max_user_watches": test.watches, "max_user_instances": test.instances} {
			if text != "" {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if d.watches(dir); d.marks() != test.marks {
			t.Errorf("%+v: it finds %q", test, d.marks())
		}
	}
}

func TestOlderVersions(t *testing.T) {
	for _, test := range []struct {
		version string
		least   [2]int
		want    bool
	}{
		{"0.9.5", [2]int{0, 10}, true},
		{"0.10.4", [2]int{0, 10}, false},
		{"1.0", [2]int{0, 10}, false},
		{"24.12", [2]int{25, 7}, true},
		{"25.07.1", [2]int{25, 7}, false},
		{"28.2", [2]int{29, 0}, true},
		{"?", [2]int{29, 0}, false},
	} {
		if got := older(test.version, test.least); got != test.want {
			t.Errorf("%s older than %v: %v", test.version, test.least, got)
		}
	}
}

// The chapters that the doctor sends people to are there.
func TestEditorChapters(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range editorPrograms {
		if !strings.Contains(string(page), "\n## "+p.chapter) {
			t.Errorf("docs/editors.md has no chapter about %s", p.chapter)
		}
	}
}

func TestUnicodeLocale(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, true},
		{map[string]string{"LANG": "en_US.UTF-8"}, true},
		{map[string]string{"LANG": "C.utf8"}, true},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, false},
	} {
		if _, ok := unicodeLocale(func(name string) string { return test.env[name] }); ok != test.want {
			t.Errorf("%v: %v", test.env, ok)
		}
	}
}

func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		marks []mark
		want  string
		code  int
	}{
		{[]mark{markGood}, "\nAll is well.\n", term.ExitDone},
		{[]mark{markLook, markGood, markLook}, "\nIt works, with 2 warnings.\n", term.ExitDone},
		{[]mark{markBad, markLook}, "\n1 problem and 1 warning. Begin with the first ✗, then run galley doctor again.\n", term.ExitError},
	} {
		var out strings.Builder
		r := &diagnosis{Config: Config{Console: term.Console{Out: term.Screen{W: &out}}}}
		for _, m := range test.marks {
			r.found = append(r.found, finding{Mark: m})
		}
		err := r.verdict()
		if out.String() != test.want || err != term.EndedWith(test.code) {
			t.Errorf("%v: got %q, %v", test.marks, out.String(), err)
		}
	}
}

func TestDoctorAsJSON(t *testing.T) {
	var out strings.Builder
	r := &diagnosis{Config: Config{Console: term.Console{Out: term.Screen{W: &out}}, JSON: true}}
	r.begin("Model")
	r.good("it answers")
	r.bad("do\nthis", "it is %s", "gone")
	if err := r.verdict(); !errors.Is(err, term.Ended(term.ExitError)) {
		t.Errorf("got %v", err)
	}
	var got checkup
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil || got.Problems != 1 || got.ExitCode != 1 || len(got.Checks) != 2 || strings.Join(got.Checks[1].Next, "+") != "do+this" {
		t.Errorf("got %s (%v)", out.String(), err)
	}
}

// A report is readable on a narrow terminal: broken at blanks, and moved in.
func TestReportOnANarrowTerminal(t *testing.T) {
	var out strings.Builder
	r := &diagnosis{Config: Config{Console: term.Console{Out: term.Screen{W: &out, Width: 40}}}}
	r.begin("Model")
	r.bad("put these lines into the file\n  model:\n    model: m", "the server answers, and does not have the model")
	want := "Model\n  ✗ the server answers, and does not\n    have the model\n      put these lines into the file\n        model:\n          model: m\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}
