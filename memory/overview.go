package memory

import (
	"fmt"
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
	slotTask       = "Current task"
	slotPrinciples = "Guiding principles"
	slotDecisions  = "Key decisions"
	slotFacts      = "Known facts"
	slotQuestions  = "Open questions"
	slotSteps      = "Recent steps"
	slotDetail     = "Detail index"
)

// slots is the shape of overview.md, in its order.
var slots = []slot{
	{slotTask, "What is being worked on now: the goal, how far it is, what comes next. Rewrite it when that changes.", 7},
	{slotPrinciples, "How the user wants work to be done here, in whatever task.", 6},
	{slotDecisions, "Decisions that still bind, each with its reason. Newest last.", 5},
	{slotFacts, "What you found out about this workspace and would have to look up again.", 3},
	{slotQuestions, "What is unclear, and whom it waits for. Remove what is answered.", 2},
	{slotSteps, "What was done last. galley adds a line for each task and edit; newest last.", 0},
	{slotDetail, "galley lists the files in detail/ and archive/ here. Read them when needed.", 1},
}

// otherRank is the rank of headings that the model made up.
const otherRank = 4

// aboutMemory says in overview.md whose memory it is and how it is used.
const aboutMemory = `> The memory of the agent in this session, kept by the agent; the user may read and change it at any time. Each request
> has it, while old messages leave: what must last stands here. Keep it short: bulk goes to detail/, what is finished to
> archive/. Lines marked "galley" are written by galley.
`

// newFront is the front matter of an overview before anybody has written in it.
func newFront(m Meta) (string, error) {
	return encodeFront(Front{
		Version: 1, SessionID: m.ID, LastUpdated: stamp(m.Created), Status: "idle",
		Project:     Project{Name: filepath.Base(m.Workspace), TechStack: map[string]any{}, KeyPaths: map[string]any{}, Commands: map[string]any{}},
		NextActions: []any{}, Issues: []Issue{},
	})
}

// newOverview is overview.md before anybody has written in it.
func newOverview(m Meta) (string, error) {
	front, err := newFront(m)
	if err != nil {
		return "", fmt.Errorf("make %s: %w", overviewFile, err)
	}
	var b strings.Builder
	b.WriteString("---\n" + front + "---\n\n# Working memory\n\n" + aboutMemory)
	for _, s := range slots {
		fmt.Fprintf(&b, "\n## %s\n<!-- %s -->\n", s.heading, s.hint)
	}
	return b.String(), nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
