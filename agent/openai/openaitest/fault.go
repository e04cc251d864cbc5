package openaitest

import (
	"slices"
	"sync"
)

// Kind is what a robust client makes of a fault.
type Kind string

// The kinds of faults.
const (
	Right   Kind = "right"   // it comes to the same reply as without the fault
	Retried Kind = "retried" // the fault comes once, and the same request made again succeeds
	Learnt  Kind = "learnt"  // a 400 that it answers by changing its request; the reply waits for that
	Failing Kind = "error"   // it ends in a clear error
)

// Fault is one quirk with which a reply can be sent.
type Fault struct {
	Name string
	Doc  string // one sentence, with the public report where there is one
	Kind Kind
	// Needs is what a reply must have for the fault to show: "text" (and no calls), "text alone", "reasoning", "calls",
	// "several calls", "no arguments" (a call with none), or nothing.
	Needs string
	Begun bool   // words of the reply go out first: who has shown them can only say that it was cut off
	NoIDs bool   // the ids of calls are lost or wrong: the client makes its own
	End   string // what the reply's finish must be instead: "length", "content_filter"
	Limit int    // the context window in tokens that the answer names, 0 if it names none

	allows []string             // fields that a request may have because of it
	refuse func(a *ask) *answer // a plain HTTP answer instead; nil: this request is not refused
	always bool                 // each request is refused, however often: the reply is never used up
	say    func(d *draft)       // changes the reply and the form of its objects
	shape  func(d *draft)       // changes the objects
	wire   func(out *answer)    // changes the bytes
}

// Faults are all there are, grouped as docs and reports group them.
func Faults() []Fault {
	return slices.Concat(
		typeFaults(), callFaults(), textCallFaults(), reasoningFaults(), finishFaults(), choiceFaults(), usageFaults(),
		frameFaults(), inBandFaults(), cutFaults(), httpFaults(), refusalFaults(), tooLongFaults(),
	)
}

// Sample is a reply with this fault, in which it shows: without the fault it is what a client must come to.
func (f Fault) Sample() Reply {
	r := Reply{
		Fault: f.Name, Text: "Hello there, friend.", Reasoning: "I should greet.", Usage: &Usage{Input: 100, Cached: 64, Output: 20},
		Calls: []Call{{Name: "read", Arguments: []byte(`{"file":"a, b.txt","lines":[1,2]}`)}, {Name: "list_files"}},
	}
	if f.Needs == "text" || f.Needs == "text alone" {
		r.Calls = nil
	}
	if f.Needs == "text alone" {
		r.Reasoning = ""
	}
	return r
}

// faultTable holds all faults by name, and no fault under no name. Many scripts ask for it, so it is made once.
var faultTable = sync.OnceValue(func() map[string]Fault {
	table := map[string]Fault{"": {}}
	for _, f := range Faults() {
		table[f.Name] = f
	}
	return table
})

// faultNamed finds a fault; the empty name is no fault, and fine.
func faultNamed(name string) (Fault, bool) {
	f, ok := faultTable()[name]
	return f, ok
}
