package memory

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Price is what a model costs, in any currency, for a million tokens. The zero value is that
// nobody knows.
type Price struct {
	Input  float64
	Cached *float64 // of the input, what the server still had; nil: as any input
	Output float64
}

// Of is what a usage costs.
func (p Price) Of(u Usage) float64 {
	cached := p.Input
	if p.Cached != nil {
		cached = *p.Cached
	}
	return (float64(u.Input-u.Cached)*p.Input + float64(u.Cached)*cached + float64(u.Output)*p.Output) / 1e6
}

// Money is an amount as people read it, to three figures that say something.
func Money(amount float64) string {
	digits := 2
	for small := amount; small > 0 && small < 1 && digits < 8; small *= 10 {
		digits++
	}
	return strconv.FormatFloat(amount, 'f', digits, 64)
}

// Cost is what was spent, at the prices of then: in the whole session, and since the user's last
// prompt.
type Cost struct {
	Session float64 `json:"session"`
	Turn    float64 `json:"turn"`
}

func (c *Cost) add(money float64) {
	c.Session += money
	c.Turn += money
}

// spentPayload is what was spent beside replies that count.
type spentPayload struct {
	Spent float64 `json:"spent"`
	Usage Usage   `json:"usage"`
}

// Spent journals what a model counted for a reply that counts for nothing, or for a summary.
func (s *Store) Spent(u Usage) error {
	if u == (Usage{}) {
		return nil
	}
	defer s.write()()
	_, err := s.appendLocked(TypeMeta, spentPayload{s.price.Of(u), u}, 0)
	return err
}

// Cost is what the session has cost by now.
func (s *Store) Cost() Cost {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.convLocked().cost
}

// spent takes in what was spent, of the entries of other facts.
func (c *conversation) spent(e Entry) error {
	if !bytes.HasPrefix(e.Payload, []byte(`{"spent":`)) {
		return nil
	}
	var p spentPayload
	err := json.Unmarshal(e.Payload, &p)
	c.cost.add(p.Spent)
	return err
}
