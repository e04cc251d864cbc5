package tasks

import (
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	design := []Task{
		{ID: 1, Goal: "enable X", State: Completed, Summary: "enable X"},
		{ID: 2, Goal: "add module Y", State: Active, Depth: 1},
		{ID: 3, Parent: 2, Goal: "check dependency versions", State: Completed, Summary: "up to date"},
		{ID: 4, Parent: 2, Goal: "update configuration", State: Active, Depth: 2},
		{ID: 5, Parent: 2, Goal: "write docs", State: Waiting},
	}
	letters := map[int][]string{4: {"A, B config.json", "C notes.md"}}
	nested := []Task{
		{ID: 1, Goal: "one", State: Active, Depth: 1, Note: "mind the lock"},
		{ID: 2, Parent: 1, Goal: "two", State: Active, Depth: 2},
		{ID: 3, Parent: 2, Goal: "three", State: Active, Depth: 3},
		{ID: 4, Parent: 1, Goal: "four", State: Reverted, Summary: "not\nneeded"},
	}
	for _, c := range []struct {
		name    string
		options Options
		tree    []Task
		letters map[int][]string
		want    string
	}{
		{"nothing", Options{}, nil, nil, "(empty)"},
		{"the example of the tools", Options{}, design, letters, `
📊 Tasks (depth 2)
┌─ [#2] add module Y
│   ├─ ✅ #3 check dependency versions → up to date
│   ├─ 📝 #4 update configuration (current) · A, B config.json; C notes.md
│   └─ ⏳ #5 write docs
🌳 Done
- ✅ #1 enable X`},
		{"in words", Options{Plain: true}, design, letters, `
Tasks (depth 2)
┌─ [#2] add module Y
│   ├─ done #3 check dependency versions → up to date
│   ├─ active #4 update configuration (current) · A, B config.json; C notes.md
│   └─ waiting #5 write docs
Done
- done #1 enable X`},
		{"the top is the current one", Options{}, nested[:1], map[int][]string{1: {"C"}}, `
📊 Tasks (depth 1)
┌─ [#1] one — mind the lock (current) · C`},
		{"three deep", Options{}, nested, map[int][]string{1: {"B"}}, `
📊 Tasks (depth 3)
┌─ [#1] one — mind the lock · B
│   ├─ 📝 #2 two
│   │   └─ 📝 #3 three (current)
│   └─ ↩️ #4 four → not needed`},
		{"only what was done", Options{}, []Task{
			{ID: 1, Goal: "top", State: Completed, Summary: "well"},
			{ID: 2, Parent: 1, Goal: "tried", State: Reverted, Summary: "no"},
			{ID: 3, Parent: 1, Goal: "left over", State: Waiting},
		}, nil, `
🌳 Done
- ✅ #1 top → well
  - ↩️ #2 tried → no
  - ⏳ #3 left over`},
		{"the stack alone", Options{OpenOnly: true}, design[:2], nil, "📊 Tasks (depth 1)\n┌─ [#2] add module Y (current)"},
		{"U85 the stack when the last task has ended", Options{OpenOnly: true}, design[:1], nil, "🌳 Done\n- ✅ #1 enable X"},
		{"U85 the stack without any task", Options{OpenOnly: true}, nil, nil, "(empty)"},
		{"the newest done", Options{Done: 2}, []Task{
			{ID: 1, Goal: "a", State: Completed},
			{ID: 2, Goal: "b", State: Completed},
			{ID: 3, Goal: "c", State: Reverted},
			{ID: 4, Goal: "d", State: Completed},
		}, nil, `
🌳 Done
- … 2 earlier
- ↩️ #3 c
- ✅ #4 d`},
		{"an unknown parent hides nothing", Options{}, []Task{{ID: 7, Parent: 3, Goal: "orphan", State: Active}}, nil, `
📊 Tasks (depth 1)
┌─ [#7] orphan (current)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, want := c.options.Render(c.tree, c.letters), strings.TrimPrefix(c.want, "\n"); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestRenderCutsALongGoal(t *testing.T) {
	got := Render([]Task{{ID: 1, Goal: strings.Repeat("ü", 500), State: Active}}, nil)
	if len([]rune(got)) > 250 || !strings.Contains(got, "…") {
		t.Errorf("a goal of 500 characters is rendered as %d", len([]rune(got)))
	}
}
