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
	Cost              Cost       `json:"cost"`                // so far
	Repaired          []string   `json:"repaired,omitempty"`  // by the gate, each kind once
	Doubt             string     `json:"doubt,omitempty"`     // why what the server counted is not believed, for a person; told once
}

// Context is all that is told of the next request: the one number for whoever acts on it or
// shows it, and what it is made of.
type Context struct {
	ContextMeta
	Parts []Part `json:"parts"` // the largest, largest first
}

// Part is something in a request that has a name.
type Part struct {
	Category string `json:"category"` // its key in Categories
	Name     string `json:"name"`
	Entry    int64  `json:"entry,omitempty"` // of the journal, for query_history
	Tokens   int    `json:"tokens"`
}

// List is the categories as parts, in the order of a request.
func (c Categories) List() []Part {
	return []Part{
		{"system", "system prompt", 0, c.System},
		{"tools", "descriptions of the tools", 0, c.Tools},
		{"folds", "folded history", 0, c.Folds},
		{"history", "history", 0, c.History},
		{"memory", "overview", 0, c.Memory},
		{"meta", "tasks and pending changes", 0, c.Meta},
		{"reserve", "room for the reply", 0, c.Reserve},
	}
}

// Largest names the two largest parts of a request, so that a person knows what to shorten.
func (m ContextMeta) Largest() string {
	c := m.Categories
	c.Reserve = 0
	two := largest(c.List(), 2)
	text := fmt.Sprintf("the largest part of the request is the %s: %d of %d tokens", two[0].Name, two[0].Tokens, c.Sum())
	if two[1].Tokens > 0 {
		text += fmt.Sprintf("; then the %s: %d", two[1].Name, two[1].Tokens)
	}
	return text
}

// largest sorts parts, and keeps so many.
func largest(all []Part, most int) []Part {
	slices.SortStableFunc(all, func(a, b Part) int { return b.Tokens - a.Tokens })
	return all[:min(most, len(all))]
}

// Fits tells whether the request may be sent: none over a known window is.
func (m ContextMeta) Fits() bool { return !m.MaxKnown || m.TokensUsed <= m.TokensMax }

// measured is a ContextMeta and what only the next one needs.
type measured struct {
	ContextMeta
	counted Categories // by us, without the reserve
}

// measureLocked counts a request, and makes its last block, which tells the number.
func (s *Store) measureLocked(in RequestInput, overview shownOverview) (measured, *lastBlock) {
	s.counted.ready = true
	c := s.convLocked()
	b := &lastBlock{overview: overview, in: in}
	m := measured{ContextMeta: ContextMeta{
		TokensMax:         cmp.Or(in.Window, DefaultWindow),
		MaxKnown:          in.Window > 0,
		MessagesInHistory: c.shown(0, len(c.units)-1),
		WorkingMemorySize: overview.size,
		Warnings:          append([]string{}, overview.warnings...),
		Doubt:             c.doubt,
		Cost:              c.cost,
	}}
	fixed := s.countLocked(c, in, b)
	m.total(c, in, fixed)
	// The block tells its own size: it is counted with a first number, then with
	// one so near that its digits cost the same.
	for range 2 {
		if m.TokensPercent >= strongReminder && b.goes == nil {
			goes := c.couldGo(s.entries)
			b.goes = &goes
		}
		cat := fixed
		cat.Meta += CountTokens(b.meta(m.ContextMeta))
		m.total(c, in, cat)
	}
	return m, b
}

// total makes the one number of the categories: what the server counted of the last request
// and its reply, and what came after by our count; or our count alone.
func (m *measured) total(c *conversation, in RequestInput, cat Categories) {
	m.counted = cat
	ratio := c.ratio()
	total := ratio.of(cat.Sum())
	if a := c.usage; a != nil {
		came := cat.Sum() - a.estimate - a.reply.tokensOf(0)
		total = max(a.usage.Input+a.usage.Output+ratio.of(came), 0)
	}
	cat = cat.scaled(total)
	cat.Reserve = in.Reserve
	m.Categories, m.Estimated = cat, c.usage == nil
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
		cat.Tools += s.counted.tool(t)
	}
	c.visible(0, len(c.units)-1,
		func(u *unit) { cat.History += u.tokens() },
		func(r *rewrite) { cat.Folds += r.count() })
	return cat
}

// shownParts is the largest messages and blocks of the conversation that are shown.
func (c *conversation) shownParts(entries []Entry, most int) []Part {
	type shown struct {
		u      *unit
		k      int
		r      *rewrite
		tokens int
	}
	var all []shown
	c.visible(0, len(c.units)-1, func(u *unit) {
		for k := range u.msgs {
			all = append(all, shown{u: u, k: k, tokens: u.tokensOf(k)})
		}
	}, func(r *rewrite) {
		all = append(all, shown{r: r, tokens: r.count()})
	})
	slices.SortStableFunc(all, func(a, b shown) int { return b.tokens - a.tokens })
	var parts []Part
	for _, p := range all[:min(most, len(all))] {
		part := Part{Category: "history", Tokens: p.tokens}
		switch {
		case p.r != nil:
			part.Category, part.Entry = "folds", c.units[p.r.first].seq
			part.Name = fmt.Sprintf("what stands for the entries %d to %d", part.Entry, c.units[p.r.last].seq)
		case p.k > 0:
			part.Name = fmt.Sprintf("the result of %s in iteration %d", p.u.msgs[0].ToolCalls[p.k-1].Name, p.u.iteration)
		case p.u.msgs[0].Role == RoleAssistant:
			part.Name = fmt.Sprintf("the reply of iteration %d", p.u.iteration)
		default:
			part.Name = fmt.Sprintf("what was said after iteration %d", p.u.iteration)
		}
		if p.u != nil && p.u.parts[p.k].entry >= 0 {
			part.Entry = entries[p.u.parts[p.k].entry].Seq
		}
		parts = append(parts, part)
	}
	return parts
}

// Context is how full the next request is, and its largest parts, so many at most.
func (s *Store) Context(in RequestInput, most int) Context {
	overview := s.overview(in.OverviewBudget)
	s.mu.Lock()
	defer s.mu.Unlock()
	m, b := s.measureLocked(in, overview)
	all := append(s.convLocked().shownParts(s.entries, most),
		Part{"system", "the system prompt", 0, s.counted.count(in.System)},
		Part{"system", "AGENTS.md", 0, s.counted.count(in.Agents)},
		Part{"memory", memoryDir + "/" + overviewFile, 0, s.counted.count(b.memory())},
		Part{"meta", "tasks and pending changes", 0, s.counted.count(b.work())})
	for _, t := range in.Tools {
		all = append(all, Part{"tools", "the description of " + t.Name, 0, s.counted.tool(t)})
	}
	counted, told := m.counted.List(), m.Categories.List()
	for i := range all {
		k := slices.IndexFunc(told, func(c Part) bool { return c.Category == all[i].Category })
		all[i].Tokens = all[i].Tokens * told[k].Tokens / max(counted[k].Tokens, 1)
	}
	return Context{m.ContextMeta, largest(all, most)}
}
