//go:build unix

package disk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/galley-ls/galley/editing/text"
)

// at lets something happen the first time a batch comes to a point.
func at(t *testing.T, point string, do func() error) {
	t.Helper()
	came := false
	t.Cleanup(func() {
		Point = func(string) error { return nil }
		if !came {
			t.Errorf("no batch came to %q", point)
		}
	})
	Point = func(name string) error {
		if came || name != point {
			return nil
		}
		came = true
		return do()
	}
}

func prepared(t *testing.T, r *Roots, steps ...Step) *Batch {
	t.Helper()
	b, err := r.Prepare("ID", steps)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func replaceStep(path, old, new string) Step {
	return Step{Op: Replace, Path: path, Before: hashOf(old), After: text.New(new)}
}

func createStep(path, new string) Step { return Step{Op: Create, Path: path, After: text.New(new)} }

func deleteStep(path, old string) Step { return Step{Op: Delete, Path: path, Before: hashOf(old)} }

func renameStep(path, to, old string) Step {
	return Step{Op: Rename, Path: path, To: to, Before: hashOf(old)}
}

func editedStep(path, to, old, new string) Step {
	return Step{Op: Rename, Path: path, To: to, Before: hashOf(old), After: text.New(new), Edited: true}
}

func TestBatch(t *testing.T) {
	tests := map[string]struct {
		before map[string]string
		steps  []Step
		after  map[string]string
	}{
		"nothing":                     {map[string]string{"a": "1"}, nil, map[string]string{"a": "1"}},
		"each kind":                   {map[string]string{"a": "1", "b": "1", "c": "1"}, []Step{replaceStep("a", "1", "2"), deleteStep("b", "1"), renameStep("c", "d", "1"), createStep("e", "2")}, map[string]string{"a": "2", "d": "1", "e": "2"}},
		"empty texts":                 {map[string]string{"a": "1", "b": ""}, []Step{replaceStep("a", "1", ""), replaceStep("b", "", "2"), createStep("c", "")}, map[string]string{"a": "", "b": "2", "c": ""}},
		"folders":                     {map[string]string{"a": "1"}, []Step{createStep("d/e/f", "1"), createStep("d/e/g", "2"), renameStep("a", "d/a", "1")}, map[string]string{"d/e/f": "1", "d/e/g": "2", "d/a": "1"}},
		"file to folder":              {map[string]string{"a": "1"}, []Step{createStep("a/b/c", "2"), createStep("a/d", "3"), deleteStep("a", "1")}, map[string]string{"a/b/c": "2", "a/d": "3"}},
		"renamed out of a folder's":   {map[string]string{"a": "1"}, []Step{createStep("a/b", "2"), renameStep("a", "c", "1")}, map[string]string{"a/b": "2", "c": "1"}},
		"deleted, then made":          {map[string]string{"a": "1"}, []Step{deleteStep("a", "1"), createStep("a", "2")}, map[string]string{"a": "2"}},
		"a name that becomes free":    {map[string]string{"a": "1", "b": "2"}, []Step{renameStep("a", "b", "1"), deleteStep("b", "2")}, map[string]string{"b": "1"}},
		"names handed on":             {map[string]string{"a": "1", "b": "2", "c": "3"}, []Step{renameStep("a", "b", "1"), renameStep("b", "c", "2"), editedStep("c", "d", "3", "4")}, map[string]string{"b": "1", "c": "2", "d": "4"}},
		"case only":                   {map[string]string{"a": "1"}, []Step{renameStep("a", "A", "1")}, map[string]string{"A": "1"}},
		"through a link":              {map[string]string{"a": "1", "l -> a": ""}, []Step{replaceStep("l", "1", "2")}, map[string]string{"a": "2"}},
		"into a linked folder":        {map[string]string{"d/a": "1", "l -> d": ""}, []Step{createStep("l/b/c", "2"), deleteStep("l/a", "1")}, map[string]string{"d/b/c": "2"}},
		"a folder that is left empty": {map[string]string{"d/e/a": "1", "b": "1"}, []Step{{Op: Delete, Path: "d/e/a", Before: hashOf("1"), Folders: []string{"d/e", "d"}}}, map[string]string{"b": "1"}},
		"a folder that is not empty":  {map[string]string{"d/e/a": "1", "d/b": "1"}, []Step{{Op: Rename, Path: "d/e/a", To: "c", Before: hashOf("1"), Folders: []string{"d/e", "d"}}}, map[string]string{"c": "1", "d/b": "1"}},
		"a long name":                 {nil, []Step{createStep(strings.Repeat("n", 255), "1")}, map[string]string{strings.Repeat("n", 255): "1"}},
		"the same text":               {map[string]string{"a": "1", "a2": "1"}, []Step{replaceStep("a", "1", "1"), editedStep("a2", "b", "1", "1")}, map[string]string{"a": "1", "b": "1"}},
	}
	for name, test := range tests {
		for _, plain := range []bool{false, true} {
			t.Run(fmt.Sprint(name, plain), func(t *testing.T) {
				if plain {
					withoutExchange(t)
				}
				dir := workspace(t, test.before)
				if err := commit(t, open(t, dir), test.steps...); err != nil {
					t.Fatal(err)
				}
				if got := tree(t, dir); !maps.Equal(got, test.after) {
					t.Errorf("got %v, want %v", got, test.after)
				}
				noTraces(t, dir)
			})
		}
	}
}

func TestBatchIsRefused(t *testing.T) {
	outside := workspace(t, map[string]string{"f": "1"})
	files := map[string]string{
		"a": "1", "b": "1", "d/c": "1", "ro": "1", "shut/f": "1", ".env": "1", ".git/config": "1",
		"out -> " + outside: "", "dangling -> nothing": "",
	}
	tests := map[string]struct {
		steps []Step
		codes []string // of all files that are named
	}{
		"other bytes, each named":   {[]Step{replaceStep("a", "x", "2"), deleteStep("b", "x"), renameStep("d/c", "e", "x")}, []string{CodeChanged, CodeChanged, CodeChanged}},
		"one of several":            {[]Step{replaceStep("a", "1", "2"), deleteStep("b", "x")}, []string{CodeChanged}},
		"no such file":              {[]Step{deleteStep("none", "1"), replaceStep("none2", "1", "2")}, []string{CodeFileNotFound, CodeFileNotFound}},
		"a name that is taken":      {[]Step{createStep("a", "2"), renameStep("b", "d/c", "1")}, []string{CodeExists, CodeExists}},
		"a folder's name":           {[]Step{createStep("d", "2")}, []string{CodeExists}},
		"below a file":              {[]Step{createStep("a/b", "2")}, []string{CodeFileNotFound}},
		"a dangling link":           {[]Step{createStep("dangling", "2")}, []string{CodeFileNotFound}},
		"to itself":                 {[]Step{renameStep("a", "a", "1")}, []string{CodeExists}},
		"below itself":              {[]Step{renameStep("a", "a/b", "1")}, []string{CodeBadArguments}},
		"swapped":                   {[]Step{renameStep("a", "b", "1"), renameStep("b", "a", "1")}, []string{CodeBadArguments, CodeBadArguments}},
		"twice the same file":       {[]Step{replaceStep("a", "1", "2"), deleteStep("a", "1")}, []string{CodeBadArguments}},
		"twice the same name":       {[]Step{createStep("n", "2"), renameStep("a", "n", "1")}, []string{CodeBadArguments}},
		"read-only":                 {[]Step{deleteStep("ro", "1"), renameStep("shut/f", "f", "1"), createStep("shut/g", "1"), createStep("shut/h/i", "1")}, []string{CodeReadOnly, CodeReadOnly, CodeReadOnly, CodeReadOnly}},
		"outside":                   {[]Step{createStep("../n", "2"), createStep("out/n", "2"), renameStep("a", "out/n", "1"), deleteStep("out/f", "1")}, []string{CodeOutsideRoots, CodeOutsideRoots, CodeOutsideRoots, CodeOutsideRoots}},
		"denied":                    {[]Step{createStep("d/.env.local", "2"), renameStep("a", ".git/x", "1"), deleteStep(".env", "1"), createStep(".galley/x", "2")}, []string{CodeDenied, CodeDenied, CodeDenied, CodeDenied}},
		"denied, in a file's place": {[]Step{deleteStep("a", "1"), createStep("a/.env", "2")}, []string{CodeDenied}},
		"a folder":                  {[]Step{deleteStep("d", "1"), replaceStep("d", "1", "2")}, []string{CodeNotText, CodeNotText}},
		"a name too long":           {[]Step{createStep("n/"+strings.Repeat("n", 256), "2")}, []string{CodeBadArguments}},
		"too large":                 {[]Step{createStep("n/n", strings.Repeat("n", text.MaxSize+1))}, []string{CodeTooLarge}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := workspace(t, files)
			for _, at := range []string{"ro", "shut"} {
				if err := os.Chmod(filepath.Join(dir, at), 0o555); err != nil {
					t.Fatal(err)
				}
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "shut"), 0o755) })
			before := tree2(t, dir)
			b, err := open(t, dir).Prepare("", test.steps)
			var e *BatchError
			if b != nil || !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			var codes []string
			for _, f := range e.Files {
				codes = append(codes, f.Code)
				wantCode(t, f, f.Code)
			}
			if strings.Join(codes, " ") != strings.Join(test.codes, " ") {
				t.Errorf("got %v (%v), want %v", codes, err, test.codes)
			}
			if got := tree2(t, dir); got != before {
				t.Errorf("something was changed: %s, before: %s", got, before)
			}
		})
	}
}

// tree2 is the names of all that stands below a folder.
func tree2(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	walkTree(t, dir, func(rel string, _ os.DirEntry) { all = append(all, rel) })
	return strings.Join(all, " ")
}

func TestParts(t *testing.T) {
	dir := workspace(t, map[string]string{"a": "1", "b": "1", "hard": "1"})
	if err := os.Link(filepath.Join(dir, "hard"), filepath.Join(dir, "hard2")); err != nil {
		t.Fatal(err)
	}
	before := tree2(t, dir)
	b := prepared(t, open(t, dir), replaceStep(dir+"/a", "1", "2"), deleteStep("b", "1"), createStep("d/e/n", "2"), editedStep("hard", "f/h", "1", "2"))
	var got []string
	for _, p := range b.Parts() {
		got = append(got, fmt.Sprint(filepath.Base(p.Path), " ", p.InPlace, " ", string(p.Old), " ", p.Made))
	}
	want := "a false  [], b false 1 [], n false  [d/e d], hard true 1 [f]"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
	b.Discard()
	if got := tree2(t, dir); got != before {
		t.Errorf("left behind: %s", got)
	}
}

// TestUndoneCreationLeavesNoTrace takes a creation back as an undo does: with the folders that it made.
func TestUndoneCreationLeavesNoTrace(t *testing.T) {
	dir := workspace(t, map[string]string{"a": "1"})
	r := open(t, dir)
	b := prepared(t, r, createStep("d/e/n", "2"))
	made := b.Parts()[0].Made
	if err := b.Commit(t.Context(), "", nil); err != nil {
		t.Fatal(err)
	}
	if err := commit(t, r, Step{Op: Delete, Path: "d/e/n", Before: hashOf("2"), Folders: made}); err != nil {
		t.Fatal(err)
	}
	if got := tree2(t, dir); got != "a" {
		t.Errorf("left behind: %s", got)
	}
}

// TestLockOfAllProcesses has another process write: U63.
func TestLockOfAllProcesses(t *testing.T) {
	was := lockPatience
	t.Cleanup(func() { lockPatience = was })
	lockPatience = 30 * time.Millisecond
	dir := workspace(t, map[string]string{"a": "1"})
	at := filepath.Join(t.TempDir(), "write.lock")
	other := flock.New(at)
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{t.Context(), cancelled} {
		err := prepared(t, r, replaceStep("a", "1", "2")).Commit(ctx, at, nil)
		if e := wantCode(t, err, CodeBusy); e.Path != "a" && !strings.Contains(e.Hint, "another galley process") {
			t.Errorf("got %v", err)
		}
	}
	if got := content(t, dir, "a"); got != "1" {
		t.Errorf("the file holds %q", got)
	}
	noTraces(t, dir)
	if err := other.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := prepared(t, r, replaceStep("a", "1", "2")).Commit(t.Context(), at, nil); err != nil {
		t.Error(err)
	}
}

// TestLeftovers is about who a leftover belongs to. U66.
func TestLeftovers(t *testing.T) {
	old, is := short(hashOf("1")), short(hashOf("2"))
	dead := fmt.Sprintf("%x.%d.%x", machine(), 1<<30, 7)
	reused := fmt.Sprintf("%x.%d.%x", machine(), os.Getpid(), 7)
	for name, test := range map[string]struct {
		owner, rest, content string
		age                  time.Duration
		stays                bool
	}{
		"of the dead, new text":        {dead, old + "." + is, "2", 0, false},
		"of the dead, old text":        {dead, old + "." + is, "1", 0, false},
		"of the dead, second name":     {dead, old + "." + is + oldSuffix, "1", 0, false},
		"of the dead, half a text":     {dead, old + "." + is + partSuffix, "h", 0, false},
		"of the dead, somebody's":      {dead, old + "." + is, "USER", 0, true},
		"of the living":                {me(), old + "." + is, "2", 0, true},
		"the number of another":        {reused, old + "." + is, "2", 0, false},
		"of another machine":           {"1.2.3", old + "." + is, "2", 0, true},
		"of another machine, long ago": {"1.2.3", old + "." + is, "2", 2 * ageless, false},
		"not ours":                     {"x", "y", "2", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			left := tempPrefix + "ID-0-" + test.owner + "-" + test.rest
			dir := workspace(t, map[string]string{"a": "1", left: test.content})
			when := time.Now().Add(-test.age)
			if err := os.Chtimes(filepath.Join(dir, left), when, when); err != nil {
				t.Fatal(err)
			}
			if err := open(t, dir).Write("a", hashOf("1"), text.New("3")); err != nil {
				t.Fatal(err)
			}
			_, err := os.Stat(filepath.Join(dir, left))
			if stays := err == nil; stays != test.stays {
				t.Errorf("it stays: %v, want %v", stays, test.stays)
			}
		})
	}
}

// TestRecoverGivesBack is about a kill between an exchange and the look at what came out, where that was a text that
// somebody had saved at that moment.
func TestRecoverGivesBack(t *testing.T) {
	dead := fmt.Sprintf("%x.%d.%x", machine(), 1<<30, 7)
	left := func(s Step) string {
		after := text.Hash{}
		if s.Op != Delete {
			after = s.After.Hash()
		}
		return tempPrefix + "ID-0-" + dead + "-" + short(s.Before) + "." + short(after)
	}
	for name, test := range map[string]struct {
		step  Step
		files map[string]string
		after map[string]string
		is    Standing
	}{
		"replace":                {replaceStep("f", "1", "2"), map[string]string{"f": "2"}, map[string]string{"f": "USER"}, Other},
		"replace, saved again":   {replaceStep("f", "1", "2"), map[string]string{"f": "3"}, map[string]string{"f": "3", "f" + keptSuffix: "USER"}, Other},
		"rename with edits":      {editedStep("g", "f", "1", "2"), map[string]string{"f": "2"}, map[string]string{"f": "USER"}, Other},
		"delete":                 {deleteStep("f", "1"), map[string]string{"o": "1"}, map[string]string{"f": "USER", "o": "1"}, Other},
		"delete, and made again": {deleteStep("f", "1"), map[string]string{"f": "3"}, map[string]string{"f": "3", "f" + keptSuffix: "USER"}, Other},
	} {
		t.Run(name, func(t *testing.T) {
			test.files[left(test.step)] = "USER"
			dir := workspace(t, test.files)
			found, err := open(t, dir).Recover(t.Context(), "", "ID", []Part{{Step: test.step, Hash: test.step.After.Hash()}})
			if err != nil || len(found) != 1 || found[0] != test.is {
				t.Errorf("found %v, %v", found, err)
			}
			if got := tree(t, dir); !maps.Equal(got, test.after) {
				t.Errorf("got %v, want %v", got, test.after)
			}
			noTraces(t, dir)
		})
	}
}

// TestTorn tells a file that a kill tore from one that somebody wrote: U65.
func TestTorn(t *testing.T) {
	big := func(s string) string { return strings.Repeat(s, block) }
	for name, test := range map[string]struct {
		now, old, new string
		want          bool
	}{
		"old":                   {"old text", "old text", "NEW", false},
		"new":                   {"NEW", "old text", "NEW", false},
		"a mix":                 {"NEd texT", "old text", "NEW TEXT", false},
		"a beginning":           {"NEW text", "old text", "NEW TEXT", true},
		"not truncated":         {"NEW text", "old text", "NEW", true},
		"longer, cut":           {"NEW TEXT", "old", "NEW TEXT IS LONG", true},
		"longer, first half":    {"NEd", "old", "NEW TEXT", true},
		"on the way back":       {"old TEXT", "old text", "NEW TEXT", true},
		"failed, on its way":    {"olW Text", "old text", "NEW TE", true},
		"somebody's":            {"USER", "old text", "NEW TEXT", false},
		"somebody's at the end": {"NEW TEXT and more", "old", "NEW TEXT", false},
		"emptied":               {"", "old", "NEW", false},
		"blocks":                {big("n") + big("o") + big("n"), big("o") + big("o") + big("o"), big("n") + big("n") + big("n"), true},
		"blocks of somebody":    {big("n") + big("u") + big("n"), big("o") + big("o") + big("o"), big("n") + big("n") + big("n"), false},
	} {
		if got := torn([]byte(test.now), []byte(test.old), []byte(test.new)); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
