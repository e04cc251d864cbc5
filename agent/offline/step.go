package offline

import (
	"regexp"
	"strings"
)

// Verb is the first word of a step.
type Verb string

const (
	Replace  Verb = "replace"
	Pick     Verb = "pick"
	Delete   Verb = "delete"
	Append   Verb = "append"
	Create   Verb = "create"
	Rename   Verb = "rename"
	Read     Verb = "read"
	Search   Verb = "search"
	List     Verb = "list"
	Preview  Verb = "preview"
	Task     Verb = "task"
	Remember Verb = "remember"
	Commit   Verb = "commit"
	Revert   Verb = "revert"
	Drop     Verb = "drop"
)

// Step is one instruction. What a verb does not use is zero.
type Step struct {
	Verb       Verb
	Kind       string   // a word behind the verb that narrows it: commit auto, remember decision, delete file
	Text       string   // the quoted text behind the verb: old text, goal, summary, reason …
	New        string   // with "…" of a replacement or a new file
	Path       string   // the file, or the glob of list
	To         string   // the new name of a file
	After      string   // the anchor before the place
	Before     string   // the anchor behind the place
	Everywhere bool     // every place, one after the other
	Letters    []string // what pick and drop name
	Plan       []string // with "…", "…" of a task
	Because    string
}

// Program is a prompt, understood.
type Program []Step

// String writes the program as one line that parses to the same program.
func (p Program) String() string {
	steps := make([]string, len(p))
	for i, s := range p {
		steps[i] = s.String()
	}
	return strings.Join(steps, " then ")
}

// String writes the step in its canonical form.
func (s Step) String() string {
	words := []string{string(s.Verb)}
	add := func(has bool, w ...string) {
		if has {
			words = append(words, w...)
		}
	}
	f := forms[s.Verb]
	inPath := s.Kind != kindFile && s.Verb != Rename && (f.takes(clauseIn) || f.takes(clauseTo))
	add(s.Kind != "", s.Kind)
	add(f.arg.isText() && (s.Text != "" || f.arg == argAnyText), quote(s.Text))
	add(len(s.Letters) > 0, strings.Join(s.Letters, ", "))
	add(s.Path != "" && !inPath, bare(s.Path))
	add(s.Verb == Replace || s.Verb == Create, "with", quote(s.New))
	add(len(s.Plan) > 0, "with", quoteAll(s.Plan))
	add(s.Path != "" && inPath && f.takes(clauseIn), "in", bare(s.Path))
	add(s.Path != "" && inPath && f.takes(clauseTo), "to", bare(s.Path))
	add(s.To != "", "to", bare(s.To))
	add(s.After != "", "after", quote(s.After))
	add(s.Before != "", "before", quote(s.Before))
	add(s.Everywhere, "everywhere")
	add(s.Because != "", "because", quote(s.Because))
	return strings.Join(words, " ")
}

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quote(t)
	}
	return strings.Join(quoted, ", ")
}

var plainName = regexp.MustCompile(`^[\pL\pN_/*?~+@#%=.-][\pL\pN_/*?~+@#%=.-]*$`)

// bare writes a file name, quoted where it could be taken for something else.
func bare(path string) string {
	if plainName.MatchString(path) && !strings.HasSuffix(path, ".") && !reserved(path) {
		return path
	}
	return quote(path)
}
