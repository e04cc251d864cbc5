package offline

import (
	"slices"
	"strings"
)

// kind says what a slot takes.
type kind int

const (
	quoted   kind = iota // a text in quotes
	pattern              // quoted, or one word
	fileName             // a name, in quotes where it needs them
	letters              // A, B or all
	letter               // one
	mark                 // nothing: the word says it
)

// slot is one part of a form, and the argument of the tool that it fills.
type slot struct {
	word  string // that begins it; "": it stands behind the verb
	kind  kind
	show  string // in the shape: "OLD", FILE
	what  string // for people
	arg   string // the tool's name for it
	needs bool   // it may not be missing
	empty bool   // the text may be empty
}

// form is the grammar of one instruction, and the tool that it asks for.
type form struct {
	verb    string
	narrow  string // a second word: delete file, commit auto
	tool    string
	once    bool // doing it twice would do harm
	slots   []slot
	example string
}

// The verbs that are more than one call of a tool with what stands in their slots.
const (
	verbPick   = "pick"
	verbTask   = "task"
	verbCommit = "commit"
	verbRevert = "revert"
)

// everywhere is no argument of a tool: it takes all candidates.
const everywhere = "everywhere"

// The tools that the model tells apart in what it has done.
const (
	toolReplace = "memory_notebook_replace"
	toolAppend  = "memo_append"
)

// place are the slots of what is looked for in a file.
func place() []slot {
	return []slot{
		{word: "in", kind: fileName, show: "FILE", what: "the file behind in", arg: "path"},
		{word: "after", show: `"ANCHOR"`, what: "the anchor", arg: "search_after"},
		{word: "before", show: `"ANCHOR"`, what: "the anchor", arg: "search_before"},
		{word: everywhere, kind: mark, arg: everywhere},
		because,
	}
}

var because = slot{word: "because", show: `"REASON"`, what: "the reason", arg: "reason"}

// forms are all that is understood, in the order of grammar.md.
var forms = []*form{
	{
		verb: "replace", tool: toolReplace, example: `replace "timeout: 30" with "timeout: 60" in config.yaml`,
		slots: append([]slot{
			{show: `"OLD"`, what: "the text to replace", arg: "old_text", needs: true, empty: true},
			{word: "with", show: `"NEW"`, what: "the new text", arg: "new_text", needs: true, empty: true},
		}, place()...),
	},
	{
		verb: verbPick, example: `pick B`,
		slots: []slot{{kind: letters, show: "LETTER[, LETTER] | pick all", what: "the letter of a candidate", arg: "letters", needs: true}},
	},
	{
		verb: "delete", tool: toolReplace, example: `delete "debug: true\n" in config.yaml`,
		slots: append([]slot{{show: `"TEXT"`, what: "the text to delete", arg: "old_text", needs: true}}, place()...),
	},
	{
		verb: "delete", narrow: "file", tool: "delete_file", once: true, example: `delete file "my notes.md"`,
		slots: []slot{{kind: fileName, show: "FILE", what: "a file", arg: "path", needs: true}, because},
	},
	{
		verb: "append", tool: toolAppend, once: true, example: `append "- ship it" to notes.md after "## To do"`,
		slots: []slot{
			{show: `"TEXT"`, what: "the text to append", arg: "text", needs: true},
			{word: "to", kind: fileName, show: "FILE", what: "the file behind to", arg: "path"},
			{word: "after", show: `"HEADING"`, what: "the anchor", arg: "after"},
		},
	},
	{
		verb: "create", tool: "write", once: true, example: `create docs/todo.md with "# To do\n"`,
		slots: []slot{
			{kind: fileName, show: "FILE", what: "a file", arg: "path", needs: true},
			{word: "with", show: `"TEXT"`, what: "the new text", arg: "content", needs: true, empty: true},
			because,
		},
	},
	{
		verb: "rename", tool: "rename_file", once: true, example: `rename notes.md to docs/notes.md`,
		slots: []slot{
			{kind: fileName, show: "FILE", what: "a file", arg: "path", needs: true},
			{word: "to", kind: fileName, show: "FILE", what: "the new name", arg: "to", needs: true},
			because,
		},
	},
	{
		verb: "read", tool: "memo_read", example: `read config.yaml`,
		slots: []slot{{kind: fileName, show: "FILE", what: "a file", arg: "path", needs: true}},
	},
	{
		verb: "search", tool: "search_text", example: `search "timeout"`,
		slots: []slot{
			{kind: pattern, show: `"TEXT"`, what: "the text to look for", arg: "pattern", needs: true},
			{word: "in", kind: fileName, show: "FILE", what: "the file behind in", arg: "path"},
		},
	},
	{
		verb: "list", tool: "list_files", example: `list **/*.md`,
		slots: []slot{{kind: fileName, show: "GLOB", what: "a pattern for file names", arg: "glob"}},
	},
	{verb: "preview", tool: "memo_preview", example: `preview`},
	{
		verb: verbTask, tool: "memo_begin_task", example: `task "raise the timeouts"`,
		slots: []slot{{show: `"GOAL"`, what: "the goal of the task", arg: "goal", needs: true}},
	},
	{
		verb: verbCommit, tool: "memo_commit", example: `commit "raise the timeouts"`,
		slots: []slot{
			{show: `"SUMMARY"`, what: "a summary", arg: "summary"},
			{word: "because", show: `"DECISION"`, what: "the reason", arg: "decisions"},
		},
	},
	{verb: verbCommit, narrow: "auto", tool: "memo_commit_auto", example: `commit auto`},
	{
		verb: verbRevert, tool: "memo_revert", example: `revert "the server does not know this key"`,
		slots: []slot{{show: `"REASON"`, what: "the reason", arg: "reason", needs: true}},
	},
	{
		verb: "drop", tool: "memo_drop", once: true, example: `drop A because "wrong file"`,
		slots: []slot{
			{kind: letter, show: "LETTER", what: "the letter of a change", arg: "change_id", needs: true},
			{word: "because", show: `"REASON"`, what: "the reason", arg: "reason", needs: true},
		},
	},
}

// shown is what a slot that is missing looks like.
func (s slot) shown() string {
	if s.kind == quoted {
		return `"…"`
	}
	return s.show
}

// shape is how a form is written, with what may be left out in brackets.
func (f *form) shape() string {
	words := []string{f.verb}
	if f.narrow != "" {
		words = append(words, f.narrow)
	}
	for _, s := range f.slots {
		part := strings.TrimSpace(s.word + " " + s.show)
		if !s.needs {
			part = "[" + part + "]"
		}
		words = append(words, part)
	}
	return strings.Join(words, " ")
}

// clause is the slot that a word begins, nil if there is none.
func (f *form) clause(word string) *slot {
	i := slices.IndexFunc(f.slots, func(s slot) bool { return s.word != "" && s.word == word })
	if i < 0 {
		return nil
	}
	return &f.slots[i]
}

// formsOf are the forms of a verb.
func formsOf(verb string) []*form {
	return slices.DeleteFunc(slices.Clone(forms), func(f *form) bool { return f.verb != verb })
}

// verbs are all verbs.
func verbs() []string {
	var out []string
	for _, f := range forms {
		out = append(out, f.verb)
	}
	return slices.Compact(out)
}

// isClause reports whether a word begins a slot of some form.
func isClause(word string) bool {
	return slices.ContainsFunc(forms, func(f *form) bool { return f.clause(word) != nil })
}

// reserved holds for the words that end a step or begin a clause: as file names they must be quoted.
func reserved(word string) bool {
	word = strings.ToLower(word)
	return word == "then" || word == "and" || isClause(word)
}

// synonyms are the words that people say for a verb. They are only suggested: a guessed verb could do harm.
var synonyms = map[string]string{
	"replace": "change substitute swap edit set", verbPick: "choose take select use", "delete": "remove rm erase cut",
	"append": "add insert write", "create": "make new touch", "rename": "move mv", "read": "open cat print",
	"search": "find grep look", "list": "ls dir files", "preview": "show diff status", verbTask: "begin start plan goal",
	verbCommit: "save finish accept apply", verbRevert: "undo abort cancel", "drop": "discard withdraw",
}

// nearest finds the form that was meant by a word, or nil.
func nearest(word string) *form {
	word = strings.ToLower(word)
	for _, f := range forms {
		if slices.Contains(strings.Fields(synonyms[f.verb]), word) || slipped(word, f.verb) {
			return f
		}
	}
	return nil
}

// slipped holds for a word that has at most two letters in its middle that the verb has not, or the other way round.
func slipped(word, verb string) bool {
	start, end, n := 0, 0, min(len(word), len(verb))
	for start < n && word[start] == verb[start] {
		start++
	}
	for end < n-start && word[len(word)-1-end] == verb[len(verb)-1-end] {
		end++
	}
	return start+end >= max(len(word), len(verb))-2
}
