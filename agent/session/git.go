package session

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// This file makes a commit of git of a commit of galley's (git.commit), when the last file of it is on the disk. It adds to the
// history and to nothing else: it never resets, cleans or stashes, and what git refuses stays as it is.

// gitPatience is how long git may take.
const gitPatience = 30 * time.Second

// commitToGit has git commit what a commit of galley's wrote. It does not wait: git may run for a while. It is called with the
// lock held; the person hears what came of it as a warning, and Close waits for it.
func (s *queue) commitToGit(in memory.Intent) {
	if in.Op != opCommit || !s.set.Load().GitCommit {
		return
	}
	summary := in.Reason
	if e, ok := s.Snapshot().Session(s.me, in.Edit); ok {
		summary = cmp.Or(summary, e.Summary, fmt.Sprintf("galley: edit #%d", in.Edit))
	}
	var names []string
	for _, f := range in.Files {
		names = append(names, f.Path)
		if f.To != "" {
			names = append(names, f.To)
		}
	}
	s.gitting.Go(func() {
		said := s.gitCommit(summary, names)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.warn("%s", s.Mask(said))
	})
}

// gitCommit makes the commit, and answers what to tell the person.
func (s *queue) gitCommit(summary string, names []string) string {
	s.oneGit.Lock() // two of one session want one index
	defer s.oneGit.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	known, err := s.git(ctx, "", append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, names...)...)
	if err != nil {
		return notByGit(cmp.Or(oneLine(known), err.Error()), summary, names)
	}
	if names = strings.FieldsFunc(known, func(r rune) bool { return r == 0 }); len(names) == 0 {
		return "git did not commit: it ignores all files of it"
	}
	slices.Sort(names)
	if names = slices.Compact(names); s.staged(ctx) {
		return notByGit("something is in its index already", summary, names)
	}
	there := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, err := os.Lstat(s.absolute(name))
		return err != nil
	})
	words := ""
	if len(there) > 0 { // so that git knows new files; nothing of them is in the index yet
		words, err = s.git(ctx, "", append([]string{"add", "--intent-to-add", "--"}, there...)...)
	}
	if err == nil {
		words, err = s.git(ctx, summary, append([]string{"commit", "--quiet", "--only", "--file=-", "--"}, names...)...)
	}
	if err != nil {
		return notByGit(cmp.Or(oneLine(words), err.Error()), summary, names)
	}
	id, _ := s.git(ctx, "", "rev-parse", "--short", "HEAD") // the commit stands whatever it is called
	return fmt.Sprintf("git committed %s: %s (%s)", strings.TrimSpace(id), oneLine(summary), text.Plural(len(names), "file"))
}

// git runs git in the workspace. It answers what git says; git is asked nothing and asks nothing.
func (s *queue) git(ctx context.Context, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Stdin = s.folder, strings.NewReader(input)
	elsewhere := func(pair string) bool { // galley may itself run in a hook, of another repository
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"}, name)
	}
	cmd.Env = append(slices.DeleteFunc(os.Environ(), elsewhere), "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_EDITOR=true", "GIT_LITERAL_PATHSPECS=1", "LC_ALL=C")
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("it took longer than %s", gitPatience)
	}
	return out.String(), err
}

// staged reports whether the index differs from what was committed last: it is the person's.
func (s *queue) staged(ctx context.Context) bool {
	_, err := s.git(ctx, "", "diff", "--cached", "--quiet")
	return err != nil
}

// notByGit says why there is no commit of git, and what a person can do in its place.
func notByGit(why, summary string, names []string) string {
	words := []string{"git commit -m", quoted(summary), "--"}
	for _, n := range names {
		words = append(words, quoted(filepath.FromSlash(n)))
	}
	return fmt.Sprintf("git did not commit: %s. What galley committed stands; to do it yourself, in the workspace: %s", strings.TrimSuffix(why, "."), strings.Join(words, " "))
}

// quoted is a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
