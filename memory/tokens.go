package memory

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// What a message and a call cost beside their text: role, separators, IDs.
const (
	messageOverhead = 4
	callOverhead    = 8
	toolOverhead    = 8
)

// o200k loads its table of 200,000 words when first needed: some 70 ms and
// 7 MB that a process which asks no model never pays.
var o200k = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// CountTokens is the number of o200k tokens of a text.
func CountTokens(s string) int {
	if s == "" {
		return 0
	}
	codec, err := o200k()
	if err != nil {
		return guessTokens(s)
	}
	n, err := codec.Count(s)
	if err != nil {
		return guessTokens(s)
	}
	return n
}

// guessTokens is for a text that the tokenizer gives up on. It is above any
// count there can be: a token has at least one byte.
func guessTokens(s string) int { return len(s) }

// counter remembers the counts of the texts that every request repeats.
type counter struct {
	ready bool // counts are wanted: entries are counted as they are written
	known map[string]int
}

// maxCounted bounds what a counter remembers: all tools of a request and the
// texts beside them.
const maxCounted = 256

func (c *counter) count(s string) int {
	if n, ok := c.known[s]; ok {
		return n
	}
	if c.known == nil || len(c.known) >= maxCounted {
		c.known = map[string]int{}
	}
	n := CountTokens(s)
	c.known[s] = n
	return n
}

// tool counts the description of a tool.
func (c *counter) tool(t ToolSpec) int {
	return toolOverhead + c.count(t.Name+"\n"+t.Description+"\n"+string(t.Parameters))
}

func messageTokens(m Message) int {
	n := messageOverhead + CountTokens(m.Content)
	for _, c := range m.ToolCalls {
		n += callOverhead + CountTokens(c.Name) + CountTokens(c.Arguments)
	}
	return n
}

// countNewLocked counts a message that is about to be journaled, if anybody has
// asked for counts yet; others are counted when they are.
func (s *Store) countNewLocked(m Message) int {
	if !s.counted.ready {
		return 0
	}
	return messageTokens(m)
}

// tokens counts a unit, each message once.
func (u *unit) tokens() int {
	sum := 0
	for i := range u.parts {
		sum += u.tokensOf(i)
	}
	return sum
}

func (u *unit) tokensOf(i int) int {
	if u.parts[i].tokens == 0 {
		u.parts[i].tokens = messageTokens(u.msgs[i])
	}
	return u.parts[i].tokens
}

// ratio is how many tokens a model's server counts for one of ours, learnt slowly: the mean of
// the first counts, then a mean that moves.
type ratio struct{ sum, counts int }

const (
	ratioUnit = 10_000
	ratioMost = 16 // counts that it is the mean of
)

func (r ratio) of(n int) int {
	if r.counts == 0 {
		return n
	}
	return int(int64(n) * int64(r.sum) / int64(r.counts) / ratioUnit)
}

func (r ratio) learn(told, counted int) ratio {
	if r.counts == ratioMost {
		r.sum -= r.sum / r.counts
		r.counts--
	}
	return ratio{r.sum + int(int64(told)*ratioUnit/int64(counted)), r.counts + 1}
}
