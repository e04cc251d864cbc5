package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// strongReminder is the percentage from which the reminder gets stronger, and names what
// could go.
const strongReminder = 50

// leaving is what could leave the next requests, and how.
type leaving struct {
	results []string // the largest old results of tools, the largest first
	keep    int      // newest results that stay if those go
	turns   int      // of the user, besides the running one
}

// namedResults is how many results a reminder names.
const namedResults = 3

// couldGo finds what compact_history can take out.
func (c *conversation) couldGo(entries []Entry) leaving {
	all := c.results()
	var old []int // all but the newest: that stays in any case
	for i := range max(0, len(all)-1) {
		if all[i].tokens >= worthArchiving {
			old = append(old, i)
		}
	}
	slices.SortStableFunc(old, func(a, b int) int { return cmp.Compare(all[b].tokens, all[a].tokens) })
	out := leaving{keep: len(all)}
	for _, i := range old[:min(namedResults, len(old))] {
		r := all[i]
		call := r.unit.msgs[0].ToolCalls[r.part-1].Name
		out.results = append(out.results, fmt.Sprintf("the result of %s (entry %d, %d tokens)", call, entries[r.entry].Seq, r.tokens))
		out.keep = min(out.keep, len(all)-1-i)
	}
	c.visible(0, len(c.units)-1, func(u *unit) {
		if u.prompt {
			out.turns++
		}
	}, func(*rewrite) {})
	out.turns = max(0, out.turns-1)
	return out
}

// reminder grows stronger when the context fills up. What it advises can be done with a
// tool that is offered.
func (b *lastBlock) reminder(m ContextMeta) string {
	path := memoryDir + "/" + overviewFile
	if m.TokensPercent < strongReminder {
		return fmt.Sprintf("💡 Remember to update %s when the current task, a decision or a known fact changes.", path)
	}
	lines := []string{fmt.Sprintf("⚠️ The context is %d %% full. Update %s now: the current task, key decisions and known facts must stand there before older messages go.", m.TokensPercent, path)}
	if m.ActionHint == HintEmergency {
		lines[0] = fmt.Sprintf("🛑 The context is %d %% full and will soon be too long. Before anything else bring %s up to date, so that the work can go on from it alone.", m.TokensPercent, path)
	}
	if b.offers("compact_history") && b.goes != nil {
		if len(b.goes.results) > 0 {
			lines = append(lines, fmt.Sprintf(`compact_history(target: "tools", keep_recent: %d) takes out old results: %s.`, max(1, b.goes.keep), strings.Join(b.goes.results, "; ")))
		}
		if b.goes.turns > 0 {
			lines = append(lines, fmt.Sprintf(`compact_history(target: "conversation", keep_recent: 1) takes out the older turns (%d) with their steps.`, b.goes.turns))
		}
	}
	if len(b.in.Finished) > 0 && b.offers("write") {
		lines = append(lines, fmt.Sprintf("Finished, so what %s says of them may go to %s/%s/ (write): %s.", path, memoryDir, archiveDir, strings.Join(b.in.Finished, "; ")))
	}
	return strings.Join(lines, "\n")
}

// offers tells whether the model can call a tool.
func (b *lastBlock) offers(tool string) bool {
	return slices.ContainsFunc(b.in.Tools, func(t ToolSpec) bool { return t.Name == tool })
}
