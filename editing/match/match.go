package match

import "github.com/galley-ls/galley/editing/text"

// Query asks for the place of Old in a text and for the edits that make it New.
type Query struct {
	Old, New      string
	After, Before string // search_after, search_before: unique texts that bound the search
	Hints         Hints
}

// SpanQuery asks for everything from the text Start through the text End.
type SpanQuery struct {
	Start, End, New string
	After, Before   string
	Hints           Hints
}

// Hints help to recommend one of several places. They never decide.
type Hints struct {
	Cursor    int    // byte offset of the user's cursor in the searched text, or of the start of the selection; -1 unknown
	CursorEnd int    // the selection's end, if there is one
	Behind    int    // where the last staged change or read ended, -1 unknown
	Within    Span   // the block worked on, empty if unknown
	Goal      string // the current task's goal
}

// Span is the range [Start,End) of bytes.
type Span struct{ Start, End int }

// Tier is the equivalence that found a place. Each includes those before it.
type Tier int

// The tiers, strictest first.
const (
	Exact    Tier = iota // the same bytes, any line ending equal to any other
	Trailing             // blanks at line ends, blank edges of old_text
	Unicode              // NFC, quotes, dashes, odd spaces, zero-width characters, ellipsis
	Indent               // leading blanks of whole lines
	Blanks               // runs of blanks and blank lines in whole lines
)

func (t Tier) String() string {
	return [...]string{"exact", "trailing", "unicode", "indent", "blanks"}[t]
}

// Artefacts that were removed from old_text and new_text before a place was found.
const (
	LineNumbers = "line_numbers"
	Fence       = "fence"
	Escapes     = "escapes"
	Entities    = "entities"
	Elision     = "elision"
)

// Match is one place.
type Match struct {
	Start, End int // bytes in the searched text
	Tier       Tier
	Artefact   string
	Edits      text.Edits // inside [Start,End)
	WholeLines bool
	Line       int     // from 0
	LineText   string  // cut if the line is very long
	Context    string  // enclosing heading or definition, or a neighbouring line
	like       float64 // of a near match: how much it is like old_text
}

// Kind is the outcome of a search.
type Kind int

// The outcomes. Matches holds one place for Found, several for Ambiguous, one or more to ask about for Near and AnchorAmbiguous.
const (
	NoMatch Kind = iota
	Found
	Ambiguous
	Near
	AnchorMissing
	AnchorAmbiguous
	BehindAnchor // there are matches, but none behind the anchor
	AlreadyApplied
	Refused
)

func (k Kind) String() string {
	return [...]string{
		"no match", "found", "ambiguous", "near", "anchor missing", "anchor ambiguous", "behind anchor", "already applied", "refused",
	}[k]
}

// Result is the answer to a query.
type Result struct {
	Kind        Kind
	Code        string  // stable word for anything but Found
	Hint        string  // prose for the model: what happened, what to do next
	Matches     []Match // in document order, at most MaxMatches; the recommended one is always among them
	Total       int     // places in all
	Near        bool
	Diffs       []string // for near matches: how the file differs from old_text
	Recommended int      // index into Matches
	Why         string
	TimedOut    bool // near matching stopped at its budget; there may be more places
}

// MaxMatches is how many places a Result lists. It is more than there are letters.
const MaxMatches = 30

func refused(code, hint string) Result { return Result{Kind: Refused, Code: code, Hint: hint} }
