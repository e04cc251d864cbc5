package host

import (
	"context"
	"slices"
	"testing"
)

// Who looks seldom still hears of each step what was said in it and what it called.
func TestNoStepIsMissed(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\n"})
	h := p.open()
	id := p.start(h, Prompt{Text: "do a.txt: one → 1"})
	p.run(h, id, "the end", func(r Run) bool { return r.State.Over() })
	runs, now, err := h.WaitRuns(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		got = append(got, string(r.State)+" "+r.Tool+r.Text)
	}
	if want := []string{"thinking ", "tool replace", "thinking done", "done done"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	again, cancel := context.WithCancel(context.Background())
	cancel()
	if more, _, err := h.WaitRuns(again, now); err == nil || more != nil {
		t.Errorf("told twice: %v", more)
	}
}
