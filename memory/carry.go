package memory

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/oklog/ulid/v2"
)

// This file gives a new session what the workspace knows from earlier ones.

const (
	// mostCarried is how much of a slot is carried over, in bytes, the newest lines.
	mostCarried = 3 << 10
	// carryReach is how many earlier sessions are looked into for something to carry.
	carryReach = 20
	// fromSession begins the line that says where those below it come from.
	fromSession = "From session "
)

// earlier are the sessions of a workspace that were made before another, the one that
// was written last first. Of most only the name is looked at.
func earlier(home, workspace, than string) []Info {
	var all []Info
	for _, dir := range homes(home, workspace) {
		found, _ := os.ReadDir(dir) // mostly there is one of the two
		for _, f := range found {
			if _, err := ulid.ParseStrict(f.Name()); err != nil || than != "" && f.Name() >= than {
				continue
			}
			if journal, err := os.Stat(filepath.Join(dir, f.Name(), journalFile)); err == nil {
				all = append(all, Info{ID: f.Name(), Updated: journal.ModTime(), Dir: filepath.Join(dir, f.Name())})
			}
		}
	}
	slices.SortFunc(all, func(a, b Info) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(b.ID, a.ID))
	})
	return all
}

// of reports whether a session is one of this workspace, and takes its title over.
func (in *Info) of(workspace string) bool {
	m, err := readMeta(in.Dir)
	in.Title, in.Created = m.Title, m.Created
	return err == nil && m.Workspace == canonical(workspace)
}

// First reports whether no session of the workspace was made before this one.
func (s *Store) First(home string) bool {
	ws := s.Meta().Workspace
	return !slices.ContainsFunc(earlier(home, ws, s.id), func(in Info) bool { return in.of(ws) })
}

// CarryOver begins the overview of a session in which nothing has happened yet with what
// the newest session of the workspace knew: the project, guiding principles and known
// facts, marked with where they come from.
func (s *Store) CarryOver(home string) error {
	m := s.Meta()
	first, err := newOverview(m)
	if err != nil || s.ReadOnly() || len(s.Entries()) > 1 {
		return err
	}
	text, hash, err := s.ReadMemory(overviewFile)
	if err != nil || text != first {
		return nil // it is somebody's, or a request says what is wrong with it
	}
	for i, in := range earlier(home, m.Workspace, s.id) {
		if i >= carryReach {
			break
		}
		if !in.of(m.Workspace) {
			continue
		}
		if now := in.carryInto(text); now != text {
			_, err := s.WriteMemory(overviewFile, now, hash)
			return err
		}
	}
	return nil
}

// carryInto is a new overview with what an earlier session knew.
func (in Info) carryInto(text string) string {
	was, err := os.ReadFile(filepath.Join(in.Dir, memoryDir, overviewFile))
	if err != nil || len(was) > 1<<20 || !readable(string(was)) {
		return text
	}
	from := fmt.Sprintf("%s%s of %s", fromSession, in.ID, in.Created.UTC().Format(time.DateOnly))
	front, body, _ := splitFront(text)
	oldFront, oldBody, err := splitFront(strings.ToValidUTF8(string(was), "�"))
	if project := carriedProject(oldFront); err == nil && project != nil {
		if changed, err := setKey(front, "project", project); err == nil {
			front = strings.Replace(changed, "project:", "# "+from+"\nproject:", 1)
		}
	}
	for _, slot := range []string{slotPrinciples, slotFacts} {
		for _, l := range carriedLines(slotLines(oldBody, slot), from) {
			body = addMarked(body, slot, l+carriedMark)
		}
	}
	return joinFront(text, front, body)
}

// carriedProject is what a front matter says of the project, nil if nothing that a new
// one does not. Lists where maps with names belong go if they are empty.
func carriedProject(front string) yaml.MapSlice {
	var f struct {
		Project yaml.MapSlice `yaml:"project"`
	}
	if decodeFront(front, &f) != nil {
		return nil
	}
	said := false
	for i, kv := range f.Project {
		switch v := kv.Value.(type) {
		case []any:
			if len(v) == 0 {
				f.Project[i].Value = map[string]any{}
				continue
			}
		case map[string]any:
			if len(v) == 0 {
				continue
			}
		case string:
			if v == "" || kv.Key == "name" {
				continue
			}
		case nil:
			continue
		}
		said = true
	}
	text, err := encodeFront(f.Project)
	if !said || err != nil || len(text) > mostCarried {
		return nil
	}
	return f.Project
}

// slotLines are the lines of a slot, with what stands under deeper headings in it.
func slotLines(body, slot string) []string {
	lines := strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	s, found := sectionOf(lines, slot)
	if !found {
		return nil
	}
	depth := func(i int) int { return len(lines[i]) - len(strings.TrimLeft(lines[i], "#")) }
	last := s.last
	for _, next := range sections(lines) {
		if next.first > s.first && next.first-1 == last && depth(next.first-1) > depth(s.first-1) {
			last = next.last
		}
	}
	return lines[s.first:last]
}

// carriedLines are the lines of a slot that are worth carrying, each group behind a line
// that says which session they are from: where they were carried over before, that one.
func carriedLines(lines []string, from string) []string {
	var order []string
	groups := map[string][]string{}
	origin := fromSession + "of before"
	for _, l := range lines {
		text, carried := strings.CutSuffix(strings.TrimRight(l, " \t\r"), carriedMark)
		text = strings.TrimSuffix(text, codeMark)
		if carried && strings.HasPrefix(text, fromSession) {
			origin = strings.TrimSuffix(text, ":")
			continue
		}
		trimmed := strings.TrimSpace(text)
		if trimmed == "" || isFence(trimmed) || strings.HasPrefix(trimmed, "<!--") && strings.HasSuffix(trimmed, "-->") {
			continue
		}
		if isHeading(text) { // it would end the slot
			text = "**" + strings.TrimSpace(strings.TrimLeft(text, "#")) + "**"
		}
		group := from
		if carried {
			group = origin
		}
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = append(groups[group], text)
	}
	var out []string
	size := 0
	for _, group := range slices.Backward(order) {
		kept := groups[group]
		for i := len(kept) - 1; i >= 0; i-- {
			if size += len(kept[i]) + len(carriedMark); size > mostCarried {
				kept = kept[i+1:]
				break
			}
		}
		if len(kept) > 0 {
			out = append(append([]string{group + ":"}, kept...), out...)
		}
	}
	return out
}
