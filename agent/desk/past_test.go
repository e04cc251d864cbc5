package desk

import (
	"context"
	"slices"
	"testing"
)

// Who looks seldom still hears of each step what was said in it and what it called.
func TestNoStepIsMissed(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\n"})
	d := p.open()
	id := p.start(d, Prompt{Text: "do a.txt: one → 1"})
	p.run(d, id, "the end", func(r Run) bool { return r.over() })
	runs, now, err := d.WaitRuns(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		got = append(got, r.State+" "+r.Tool+r.Text)
	}
	if want := []string{"thinking ", "tool memory_notebook_replace", "thinking done", "done done"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	again, cancel := context.WithCancel(context.Background())
	cancel()
	if more, _, err := d.WaitRuns(again, now); err == nil || more != nil {
		t.Errorf("told twice: %v", more)
	}
}
