package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/agent/openai/openaitest"
)

func faultNamed(name string) openaitest.Fault {
	all := openaitest.Faults()
	if i := slices.IndexFunc(all, func(f openaitest.Fault) bool { return f.Name == name }); i >= 0 {
		return all[i]
	}
	return openaitest.Fault{Kind: openaitest.Right}
}

// expect says how a run over some replies must end: with an error or done, and how many replies it has used up by then.
// So many requests that were too long were made again.
func expect(replies []openaitest.Reply, again int) (fails bool, used int) {
	for i, r := range replies {
		f := faultNamed(r.Fault)
		switch {
		case strings.HasPrefix(f.Name, "too_long") && again > 0:
			again--
		case f.Kind == openaitest.Failing:
			return true, i + 1
		case len(r.Calls) == 0:
			return f.End == model.FinishFilter, i + 1
		}
	}
	return true, len(replies) // the script is over
}

// heard are the replies that come through.
func heard(replies []openaitest.Reply) (through []openaitest.Reply) {
	for _, r := range replies {
		if faultNamed(r.Fault).Kind != openaitest.Failing {
			through = append(through, r)
		}
	}
	return through
}

// ending is how a run ended, and what it told.
type ending struct {
	out    agent.Outcome
	err    error
	events []agent.Event
}

// madeRoom counts the requests of a run that were too long, and for which room was made.
func (l *lab) madeRoom() (n int) {
	for _, e := range l.events {
		if w, ok := e.(agent.Warned); ok && strings.HasPrefix(w.Text, "the server refused the request as too long; ") {
			n++
		}
	}
	return n
}

// walk runs a lab's script to its end, over as many runs of the same session as it takes, and checks after each of them
// that it ended as it must, and that all that was staged is there.
func (l *lab) walk() (ends []ending) {
	l.t.Helper()
	rest, came := l.script.Replies, []openaitest.Reply{}
	for prompt := "edit f.txt"; ; prompt = "go on" {
		out, err := l.run(context.Background(), prompt)
		fails, used := expect(rest, l.madeRoom())
		switch {
		case fails != (err != nil):
			l.t.Fatalf("the run ended with %v (%s), want an error: %v\n%s", err, out.Reason, fails, l.told())
		case fails && !clearWords(err):
			l.t.Errorf("this says nothing to a person: %v\n%s", err, l.told())
		case !fails && out.Reason != agent.Done:
			l.t.Fatalf("the run ended as %s: %s\n%s", out.Reason, out.Why, l.told())
		}
		ends = append(ends, ending{out, err, l.events})
		came, rest = append(came, heard(rest[:used])...), rest[used:]
		l.want = edited(came)
		switch {
		case len(rest) == 0 && !fails:
			must(l.t, l.open().Close())
			l.hangUp()
			return ends
		case len(rest) == 0:
			rest = []openaitest.Reply{{Text: "All done."}}
			l.serve(openaitest.Script{Replies: rest})
		case l.server.Left() != len(rest): // a fault that does not go away: somebody has mended the server
			l.serve(openaitest.Script{Replies: rest})
		}
	}
}

// Every fault through the loop, the tools and the client: in a reply with calls, and in one without.
func TestEachFault(t *testing.T) { ways(t, eachFault) }

func eachFault(t *testing.T, far bool) {
	for n, f := range openaitest.Faults() {
		if testing.Short() && n%6 > 0 { // under the race detector a share
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			replies := []openaitest.Reply{
				{Reasoning: "Let me see.", Text: "I edit.", Calls: []openaitest.Call{edit(3), look(), edit(5)}},
				{Reasoning: "That was it.", Text: "All is well."},
			}
			for i, r := range replies {
				if fits(f, r) {
					replies[i].Fault = f.Name
				}
			}
			l := newLab(t, openaitest.Script{Replies: replies})
			l.far = far
			for i, e := range l.walk() {
				l.judge(f, i, e)
			}
		})
	}
}

// judge looks at what a run in which a fault came must have told.
func (l *lab) judge(f openaitest.Fault, i int, e ending) {
	l.t.Helper()
	var long *model.TooLongError
	switch {
	case f.Limit > 0 && i == 0 && (!errors.As(e.err, &long) || long.Limit != f.Limit || !strings.Contains(e.err.Error(), "the largest part of the request is the")):
		l.t.Errorf("a request that is too long ends with %v, want the limit %d and the largest part", e.err, f.Limit)
	case f.End == model.FinishLength && !slices.ContainsFunc(e.events, isWarning):
		l.t.Errorf("nobody is told that the answer was cut off\n%s", l.told())
	case e.err == nil && strings.Contains(e.out.Text, "That was it"):
		l.t.Errorf("the answer holds a thought: %q", e.out.Text)
	}
}

func isWarning(e agent.Event) bool {
	_, ok := e.(agent.Warned)
	return ok
}

// 200 scripts with faults anywhere in them, and others with -short, which goes with the race detector.
func TestRandomFaults(t *testing.T) { ways(t, randomFaults) }

func randomFaults(t *testing.T, far bool) {
	first, scripts := uint64(0), uint64(200)
	if testing.Short() {
		first, scripts = scripts, 20
	}
	if far {
		scripts /= 4
	}
	for seed := first; seed < first+scripts; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, randomScript(rand.New(rand.NewPCG(seed, 4))))
			l.far = far
			l.walk()
		})
	}
}

// randomScript is 3 to 8 replies, most of them with a fault. Each line of the file is edited at most once.
func randomScript(random *rand.Rand) openaitest.Script {
	var script openaitest.Script
	lines := random.Perm(labLines)
	next := func(call func(int) openaitest.Call) openaitest.Call {
		line := lines[0]
		lines = lines[1:]
		return call(line)
	}
	n := 3 + random.IntN(6)
	bare := random.IntN(n)
	for i := range n {
		r := openaitest.Reply{Text: "All is well."}
		if i < n-1 && random.IntN(6) > 0 {
			r = randomActs(random, next)
			if i == bare {
				r.Calls = append(r.Calls, look())
			}
		}
		if random.IntN(3) == 0 {
			r.Reasoning = "Hm, let me see."
		}
		if random.IntN(4) > 0 {
			r = faulty(random, r)
		}
		script.Replies = append(script.Replies, r)
	}
	return script
}

func randomActs(random *rand.Rand, next func(call func(int) openaitest.Call) openaitest.Call) openaitest.Reply {
	r := openaitest.Reply{Calls: []openaitest.Call{next(edit)}}
	switch random.IntN(4) {
	case 0:
		r.Calls = append(r.Calls, next(edit))
	case 1:
		r.Calls = append(r.Calls, next(peek), next(edit))
	case 2:
		r.Calls = []openaitest.Call{next(peek), next(peek)}
	}
	if random.IntN(2) == 0 {
		r.Text = "I edit the file now."
	}
	return r
}

// A call that was written as text, where the profile says that the model is to be told.
func TestTextCallsAreReprompted(t *testing.T) { ways(t, textCallsAreReprompted) }

func textCallsAreReprompted(t *testing.T, far bool) {
	as := func(fault string, line int) openaitest.Reply {
		return openaitest.Reply{Calls: []openaitest.Call{edit(line)}, Fault: fault}
	}
	reprompting := func(replies ...openaitest.Reply) *lab {
		l := newLab(t, openaitest.Script{Replies: replies})
		l.far = far
		l.profile = openai.Profile{TextToolCalls: "reprompt"}
		l.serve(l.script)
		return l
	}
	t.Run("the model learns", func(t *testing.T) {
		told := as("", 4)
		told.Want = openaitest.Texts{"Call the tool through the tool interface"}
		l := reprompting(as("text_call_xml", 1), as("text_call_json", 2), told, openaitest.Reply{Text: "All done."})
		out, err := l.run(context.Background(), "edit f.txt")
		if err != nil || out.Reason != agent.Done || l.proposed() != edited([]openaitest.Reply{told}) {
			t.Errorf("%+v %v\n%s", out, err, l.told())
		}
		l.hangUp()
	})
	t.Run("it does not", func(t *testing.T) {
		l := reprompting(as("text_call_xml", 1), as("text_call_xml", 2), as("text_call_xml", 3), openaitest.Reply{Text: "Never."})
		_, err := l.run(context.Background(), "edit f.txt")
		if err == nil || !strings.Contains(err.Error(), "writes its tool calls as text (3 times in a row)") || l.proposed() != labFile() {
			t.Errorf("%v\n%s", err, l.told())
		}
		l.hangUp()
	})
}

// A server that tells the key back, in headers, errors and words, tells it to nobody.
func TestKeyIsToldToNobody(t *testing.T) { ways(t, keyIsToldToNobody) }

func keyIsToldToNobody(t *testing.T, far bool) {
	const key = "sk-proj-Zq7distinctive0815keyNobodyElseHas"
	header := map[string]string{"X-Echo": "Bearer " + key, "X-Request-Id": key}
	frame := "data: {\"error\":{\"message\":\"" + key + " has no credit\"}}\n\n"
	l := newLab(t, openaitest.Script{})
	l.far = far
	l.key = key
	l.serve(openaitest.Script{Key: key, Replies: []openaitest.Reply{
		{Status: 500, Body: `{"error":{"message":"upstream refused ` + key + `"}}`, Header: header},
		{Status: 429, Body: key, Header: header},
		{Frames: []string{"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"it is \"}}]}\n\n", frame}},
		{Text: "Your key is " + key + ".", Reasoning: "They have " + key, Calls: []openaitest.Call{edit(1), {Name: key}}, Chunk: 5},
		{Fault: "unauthorized_echo_key"},
	}})
	_, err := l.run(context.Background(), "use "+key)
	if err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("it ended with %v", err)
	}
	told, merr := json.Marshal(l.events)
	must(t, merr)
	if strings.Contains(string(told), key) || strings.Contains(string(told), key[:16]) {
		t.Errorf("the key was told:\n%s", l.told())
	}
	for _, r := range l.server.Requests() {
		if strings.Contains(string(r.Body), key) {
			t.Errorf("the key was sent in a request: %s", r.Body)
		}
	}
	must(t, filepath.WalkDir(l.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.Contains(string(content), key) {
			t.Errorf("the key is in %s", path)
		}
		return err
	}))
}
