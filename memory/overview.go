package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// slot is a headed part of overview.md.
type slot struct {
	heading string
	hint    string // what belongs there
	rank    int    // cut first when the overview is over its budget: the lowest
}

const (
	slotTask      = "Current task"
	slotDecisions = "Key decisions"
	slotFacts     = "Known facts"
	slotQuestions = "Open questions"
	slotSteps     = "Recent steps"
	slotDetail    = "Detail index"
)

// slots is the shape of overview.md, in its order.
var slots = []slot{
	{slotTask, "What is being worked on now: the goal, how far it is, what comes next. Rewrite it when that changes.", 6},
	{slotDecisions, "Decisions that still bind, each with its reason. Newest last.", 5},
	{slotFacts, "What you found out about this workspace and would have to look up again.", 3},
	{slotQuestions, "What is unclear, and whom it waits for. Remove what is answered.", 2},
	{slotSteps, "What was done last. galley adds a line for each task and edit; newest last.", 0},
	{slotDetail, "One line for each file in detail/: its name and what it holds. Read them when needed.", 1},
}

// otherRank is the rank of headings that the model made up.
const otherRank = 4

// newOverview is overview.md before anybody has written in it.
func newOverview(m Meta) (string, error) {
	front, err := encodeFront(Front{
		Version: 1, SessionID: m.ID, LastUpdated: stamp(m.Created), Status: "idle",
		Project:     Project{Name: filepath.Base(m.Workspace), TechStack: []string{}, KeyPaths: []string{}, Commands: map[string]string{}},
		NextActions: []string{}, Issues: []Issue{},
	})
	if err != nil {
		return "", fmt.Errorf("make %s: %w", overviewFile, err)
	}
	var b strings.Builder
	b.WriteString("---\n" + front + "---\n\n# Working memory\n")
	for _, s := range slots {
		fmt.Fprintf(&b, "\n## %s\n<!-- %s -->\n", s.heading, s.hint)
	}
	return b.String(), nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// ensureOverview makes overview.md when there is none.
func (s *Store) ensureOverview() error {
	s.files.Lock()
	defer s.files.Unlock()
	return s.ensureOverviewLocked()
}

func (s *Store) ensureOverviewLocked() error {
	root, name, err := s.memoryRoot(overviewFile)
	if err != nil {
		return err
	}
	defer root.Close()
	if _, err := root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := newOverview(s.Meta())
	if err != nil {
		return err
	}
	_, err = swapIn(root, name, text, "")
	return err
}
