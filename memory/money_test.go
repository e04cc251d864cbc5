package memory

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestPrice(t *testing.T) {
	free, half := 0.0, 0.5
	u := Usage{Input: 1_000_000, Cached: 400_000, Output: 100_000}
	for _, c := range []struct {
		p    Price
		want float64
	}{
		{Price{}, 0}, {Price{Input: 2, Output: 10}, 3}, {Price{Input: 2, Cached: &half, Output: 10}, 2.4}, {Price{Input: 2, Cached: &free, Output: 10}, 2.2},
	} {
		if got := c.p.Of(u); !near(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.p, got, c.want)
		}
	}
}

// What was spent stands in the journal, at the price of then: replies, those that count for nothing, and summaries.
func TestCost(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	spend := func(in RequestInput, u Usage) {
		t.Helper()
		s.Request(in)
		ok(t, s.AddAssistant(Message{Content: "Done."}, u))
	}
	dear, cheap := RequestInput{Price: Price{Input: 1e6}}, RequestInput{Price: Price{Input: 10}}
	play(t, s, "U")
	spend(dear, Usage{Input: 2})
	ok(t, s.Spent(Usage{Input: 3}))
	ok(t, s.Spent(Usage{}))
	play(t, s, "U")
	spend(cheap, Usage{Input: 100_000})
	play(t, s, "N")
	want := Cost{Session: 6, Turn: 1}
	for range 2 {
		got := s.Cost()
		if _, m := s.Request(cheap); !near(got.Session, want.Session) || !near(got.Turn, want.Turn) || m.Cost != got {
			t.Errorf("%+v, want %+v", got, want)
		}
		s = p.reopen(t, s)
	}
}
