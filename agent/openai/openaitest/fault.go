package openaitest

import (
	"embed"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// Fault is one quirk with which a reply can be sent. The files in faults say what goes over the wire; plain.txt says how.
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
	// Tokens says how much of the usage a client can know: "none", "none in a stream", "not the cached", or all.
	Tokens string
	Error  string // of a failing one: the kind of error that a person is told, as the client names it

	always         bool              // each request is refused, however often: the reply is never used up
	allows         []string          // fields that a request may have because of it
	texts          map[string]string // what it says otherwise than the plain stream, by name
	http           []string          // the status, the headers, an empty line and the body of an HTTP answer instead
	refuse, unless *regexp.Regexp    // what the outline of a request has that is answered so; nil: each is
}

//go:embed faults
var files embed.FS

// families are the files of faults, in the order in which docs and reports group them.
var families = []string{
	"types", "calls", "textcalls", "reasoning", "finish", "choices", "usage", "frames", "inband", "cut", "http", "denied", "refusal", "toolong",
}

// faults are read once, for many scripts ask for them.
var faults = sync.OnceValue(func() (all []Fault) {
	for _, family := range families {
		all = append(all, readFaults(family)...)
	}
	return all
})

// plain is the stream without a fault.
var plain = sync.OnceValue(func() Fault { return readFaults("plain")[0] })

// ownAnswers are those that belong to no reply.
var ownAnswers = sync.OnceValue(func() []Fault { return readFaults("own") })

// faultTable holds all faults by name, and no fault under no name.
var faultTable = sync.OnceValue(func() map[string]Fault {
	table := map[string]Fault{"": {}}
	for _, f := range faults() {
		table[f.Name] = f
	}
	return table
})

// Faults are all there are.
func Faults() []Fault { return slices.Clone(faults()) }

// faultNamed finds a fault; the empty name is no fault, and fine.
func faultNamed(name string) (Fault, bool) {
	f, ok := faultTable()[name]
	return f, ok
}

// readFaults reads a file: whatever a test of all faults does not find wrong with one is right.
func readFaults(family string) (all []Fault) {
	text, _ := files.ReadFile("faults/" + family + ".txt")
	for _, section := range strings.Split(string(text), "\n-- ")[1:] {
		all = append(all, readFault(strings.Split(strings.TrimSpace(section), "\n")))
	}
	return all
}

var unescape = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\ufeff`, "\ufeff")

func readFault(lines []string) Fault {
	f := Fault{Name: strings.TrimSuffix(lines[0], " --"), Doc: lines[1], texts: map[string]string{}}
	for i, line := range lines[2:] {
		if strings.HasPrefix(line, "HTTP ") {
			f.http = lines[2+i:]
			break
		}
		name, text, _ := strings.Cut(line, ":")
		f.texts[name] = unescape.Replace(strings.TrimPrefix(text, " "))
	}
	kind, failure, _ := strings.Cut(f.texts["client"], " ")
	f.Kind, f.Error, f.Needs, f.End = Kind(kind), failure, f.texts["needs"], f.texts["ends"]
	f.Begun, f.NoIDs, f.always = f.texts["begun"] != "", f.texts["ids"] == "lost", f.texts["always"] != ""
	f.Tokens = f.texts["tokens"]
	f.Limit, _ = strconv.Atoi(f.texts["limit"])
	f.allows = strings.Fields(f.texts["allows"])
	f.refuse, f.unless = f.pattern("refuse"), f.pattern("unless")
	return f
}

func (f Fault) pattern(name string) *regexp.Regexp {
	if f.texts[name] == "" {
		return nil
	}
	return regexp.MustCompile("(?m)" + f.texts[name])
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

// has says whether the fault has a text of its own of that name.
func (f Fault) has(name string) bool {
	_, ok := f.texts[name]
	return ok
}

// form says whether the plan of the fault has a word for how chunks are made, where there is more than one way.
func (f Fault) form(word string) bool { return slices.Contains(strings.Fields(f.texts["form"]), word) }

// instead names the text that stands for one which neither the fault nor the plain stream has.
var instead = map[string]string{"bare": "call", "head": "call", "last": "piece", "middle": "chunk", "content": "text"}

// text is what goes out under a name: the fault's, or the plain stream's.
func (f Fault) text(name string) string {
	text, _ := f.lookup(name)
	return text
}

func (f Fault) lookup(name string) (string, bool) {
	if text, ok := f.texts[name]; ok {
		return text, true
	}
	if other, ok := instead[name]; ok {
		return f.lookup(other)
	}
	text, ok := plain().texts[name]
	return text, ok
}

// values stand in texts for $name.
type values map[string]string

func (v values) with(more values) values {
	all := maps.Clone(v)
	maps.Copy(all, more)
	return all
}

// fill writes a text with its values: $name is one, or else another text, and ${300 text} a text 300 times.
func (f Fault) fill(name string, v values) string { return f.expand(f.text(name), v) }

// blanks are what fill fills.
var blanks = regexp.MustCompile(`\$(\w+|\{[^}]+\})`)

func (f Fault) expand(text string, v values) string {
	return blanks.ReplaceAllStringFunc(text, func(blank string) string {
		name := strings.Trim(blank, "${}")
		if value, ok := v[name]; ok {
			return value
		}
		if n, repeated, ok := strings.Cut(name, " "); ok {
			times, _ := strconv.Atoi(n)
			return strings.Repeat(repeated, times)
		}
		if text, ok := f.lookup(name); ok {
			return f.expand(text, v)
		}
		return "${" + name + "}" // tests look for it
	})
}
