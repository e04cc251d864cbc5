package memory

import (
	"cmp"
	"fmt"
	"slices"
)

// Categories is where the tokens of a request go. Their sum is
// ContextMeta.TokensUsed.
type Categories struct {
	System  int `json:"system"` // the system prompt and AGENTS.md
	Tools   int `json:"tools"`
	Folds   int `json:"folds"`
	History int `json:"history"`
	Memory  int `json:"memory"`  // the overview
	Meta    int `json:"meta"`    // the rest of the last block
	Reserve int `json:"reserve"` // kept free for the reply
}

// Sum is all of them.
func (c Categories) Sum() int {
	return c.System + c.Tools + c.Folds + c.History + c.Memory + c.Meta + c.Reserve
}

// ContextMeta says how full the context is: one number, for the model, the
// user and whoever acts on it.
type ContextMeta struct {
	TokensUsed        int        `json:"tokens_used"`
	TokensMax         int        `json:"tokens_max"`
	MaxKnown          bool       `json:"max_known"` // the window is the model's, not a guess
	TokensPercent     int        `json:"tokens_percent"`
	MessagesInHistory int        `json:"messages_in_history"`
	WorkingMemorySize int        `json:"working_memory_size"` // bytes of overview.md
	ActionHint        string     `json:"action_hint"`
	Estimated         bool       `json:"estimated"` // counted by us alone, not anchored in a server's number
	Categories        Categories `json:"categories"`
	Warnings          []string   `json:"warnings"`            // about the overview
	Compacted         string     `json:"compacted,omitempty"` // what left the request since it was too full, for a person
	Foreseen          string     `json:"foreseen,omitempty"`  // what would leave it next, told to a person once before it has to
}

// Largest names the largest part of a request, so that a person knows what to shorten.
func (m ContextMeta) Largest() string {
	c := m.Categories
	name, most := "system prompt", c.System
	for _, part := range []struct {
		name string
		n    int
	}{
		{"descriptions of the tools", c.Tools},
		{"folded history", c.Folds},
		{"history", c.History},
		{"overview", c.Memory},
		{"tasks and pending changes", c.Meta},
	} {
		if part.n > most {
			name, most = part.name, part.n
		}
	}
	return fmt.Sprintf("the largest part of the request is the %s: %d of %d tokens", name, most, c.Sum()-c.Reserve)
}

// Fits tells whether the request may be sent: none over a known window is.
func (m ContextMeta) Fits() bool { return !m.MaxKnown || m.TokensUsed <= m.TokensMax }

// measured is a ContextMeta and what only the next one needs.
type measured struct {
	ContextMeta
	estimate int // counted by us, without the reserve
}

// measureLocked counts a request: what the server said of the last one and what
// came after, or our own counts alone.
func (s *Store) measureLocked(c *conversation, in RequestInput, b *lastBlock) measured {
	m := measured{ContextMeta: ContextMeta{
		TokensMax:         cmp.Or(in.Window, DefaultWindow),
		MaxKnown:          in.Window > 0,
		MessagesInHistory: b.messages,
		WorkingMemorySize: b.overview.size,
		Warnings:          append([]string{}, b.overview.warnings...),
	}}
	fixed := s.countLocked(c, in, b)
	m.total(c, in, fixed)
	// The block tells its own size: it is counted with a first number, then with
	// one so near that its digits cost the same.
	for range 2 {
		if m.TokensPercent >= strongReminder && b.largest == nil {
			b.largest = c.largest(3)
		}
		cat := fixed
		cat.Meta += CountTokens(b.meta(m.ContextMeta))
		m.total(c, in, cat)
	}
	return m
}

// total makes the one number of the categories.
func (m *measured) total(c *conversation, in RequestInput, cat Categories) {
	m.estimate = cat.Sum()
	m.Estimated = c.usage == nil
	if !m.Estimated {
		a := c.usage
		came := m.estimate - a.estimate - a.reply.tokensOf(0)
		cat = cat.scaled(max(a.usage.Input+a.usage.Output+came, 0))
	}
	cat.Reserve = in.Reserve
	m.Categories = cat
	m.TokensUsed = cat.Sum()
	m.TokensPercent = m.TokensUsed * 100 / m.TokensMax
	m.ActionHint = in.Compression.hint(float64(m.TokensUsed) / float64(m.TokensMax))
}

// scaled spreads what a server counted over our own categories.
func (c Categories) scaled(total int) Categories {
	sum := c.Sum()
	if sum == 0 {
		c.History = total
		return c
	}
	for _, n := range []*int{&c.System, &c.Tools, &c.Folds, &c.Memory, &c.Meta} {
		*n = *n * total / sum
	}
	c.History = 0
	c.History = total - c.Sum()
	return c
}

// countLocked counts everything but the meta block, which tells the number.
// Texts that requests repeat are counted once.
func (s *Store) countLocked(c *conversation, in RequestInput, b *lastBlock) Categories {
	cat := Categories{Memory: messageOverhead + s.counted.count(b.memory()), Meta: s.counted.count(b.work())}
	if in.System != "" {
		cat.System = messageOverhead + s.counted.count(in.System)
	}
	if in.Agents != "" {
		cat.System += messageOverhead + s.counted.count(in.Agents)
	}
	for _, t := range in.Tools {
		cat.Tools += toolOverhead + s.counted.count(t.Name+"\n"+t.Description+"\n"+string(t.Parameters))
	}
	c.visible(0, len(c.units)-1,
		func(u *unit) { cat.History += u.tokens() },
		func(r *rewrite) { cat.Folds += r.count() })
	return cat
}

// largest names the n largest results that are shown, largest first.
func (c *conversation) largest(n int) []string {
	type result struct {
		name      string
		iteration int
		tokens    int
	}
	var all []result
	c.visible(0, len(c.units)-1, func(u *unit) {
		for i := range u.calls {
			all = append(all, result{u.msgs[0].ToolCalls[i].Name, u.iteration, u.tokensOf(i + 1)})
		}
	}, func(*rewrite) {})
	slices.SortStableFunc(all, func(a, b result) int { return b.tokens - a.tokens })
	var names []string
	for _, r := range all[:min(n, len(all))] {
		names = append(names, fmt.Sprintf("the result of %s in iteration %d (%d tokens)", r.name, r.iteration, r.tokens))
	}
	return names
}
