package offline

import (
	"slices"
	"strings"
)

// argument says what stands behind a verb.
type argument int

const (
	argNone argument = iota
	argText
	argAnyText    // may be empty
	argMaybeText  // may be missing
	argPattern    // quoted or one word
	argTextOrFile // a file where it is not quoted
	argFile
	argMaybeGlob
	argLetter
	argLetters
)

func (a argument) isText() bool {
	return a == argText || a == argTextOrFile || a == argAnyText || a == argMaybeText || a == argPattern
}

// kindFile is the word that makes the deletion of a text that of a file.
const kindFile = "file"

type clause string

const (
	clauseWith       clause = "with"
	clauseIn         clause = "in"
	clauseTo         clause = "to"
	clauseAfter      clause = "after"
	clauseBefore     clause = "before"
	clauseEverywhere clause = "everywhere"
	clauseBecause    clause = "because"
)

var clauses = []clause{clauseWith, clauseIn, clauseTo, clauseAfter, clauseBefore, clauseEverywhere, clauseBecause}

// form is the grammar of one verb, and what to show when somebody did not quite hit it.
type form struct {
	kinds   []string // words that may stand behind the verb
	arg     argument
	what    string // the argument, for people
	needs   clause // the one clause that may not be missing
	clauses []clause
	shape   string
	example string
}

func (f form) takes(c clause) bool { return slices.Contains(f.clauses, c) }

var forms = map[Verb]form{
	Replace: {
		arg: argAnyText, what: "the text to replace", needs: clauseWith,
		clauses: []clause{clauseWith, clauseIn, clauseAfter, clauseBefore, clauseEverywhere, clauseBecause},
		shape:   `replace "OLD" with "NEW" in FILE [after "ANCHOR"] [before "ANCHOR"] [everywhere] [because "REASON"]`,
		example: `replace "timeout: 30" with "timeout: 60" in config.yaml`,
	},
	Pick: {
		arg: argLetters, what: "the letter of a candidate",
		shape:   `pick LETTER[, LETTER] | pick all`,
		example: `pick B`,
	},
	Delete: {
		kinds: []string{kindFile},
		arg:   argTextOrFile, what: "the text to delete",
		clauses: []clause{clauseIn, clauseAfter, clauseBefore, clauseEverywhere, clauseBecause},
		shape:   `delete FILE | "TEXT" in FILE [after "ANCHOR"] [before "ANCHOR"] [everywhere] [because "REASON"]`,
		example: `delete "debug: true\n" in config.yaml`,
	},
	Append: {
		arg: argText, what: "the text to append",
		clauses: []clause{clauseTo, clauseAfter},
		shape:   `append "TEXT" to FILE [after "HEADING"]`,
		example: `append "- ship it" to notes.md after "## To do"`,
	},
	Create: {
		arg: argFile, what: "a file", needs: clauseWith,
		clauses: []clause{clauseWith, clauseBecause},
		shape:   `create FILE with "TEXT" [because "REASON"]`,
		example: `create docs/todo.md with "# To do\n"`,
	},
	Rename: {
		arg: argFile, what: "a file", needs: clauseTo,
		clauses: []clause{clauseTo, clauseBecause},
		shape:   `rename FILE to FILE [because "REASON"]`,
		example: `rename notes.md to docs/notes.md`,
	},
	Read: {
		arg: argFile, what: "a file",
		shape:   `read FILE`,
		example: `read config.yaml`,
	},
	Search: {
		arg: argPattern, what: "the text to look for",
		clauses: []clause{clauseIn},
		shape:   `search "TEXT" [in FILE]`,
		example: `search "timeout"`,
	},
	List: {
		arg: argMaybeGlob, what: "a pattern for file names",
		shape:   `list [GLOB]`,
		example: `list **/*.md`,
	},
	Preview: {shape: `preview`, example: `preview`},
	Task: {
		arg: argText, what: "the goal of the task",
		clauses: []clause{clauseWith},
		shape:   `task "GOAL" [with "CHILD", "CHILD"]`,
		example: `task "raise the timeouts" with "configuration", "notes"`,
	},
	Remember: {
		kinds: []string{"fact", "decision"},
		arg:   argText, what: "what to remember",
		shape:   `remember [fact|decision] "TEXT"`,
		example: `remember decision "timeouts are 60 seconds everywhere"`,
	},
	Commit: {
		kinds: []string{"auto"},
		arg:   argMaybeText, what: "a summary",
		clauses: []clause{clauseBecause},
		shape:   `commit ["SUMMARY"] [because "DECISION"] | commit auto`,
		example: `commit "raise the timeouts"`,
	},
	Revert: {
		arg: argMaybeText, what: "the reason", needs: clauseBecause,
		clauses: []clause{clauseBecause},
		shape:   `revert "REASON"`,
		example: `revert "the server does not know this key"`,
	},
	Drop: {
		arg: argLetter, what: "the letter of a change", needs: clauseBecause,
		clauses: []clause{clauseBecause},
		shape:   `drop LETTER because "REASON"`,
		example: `drop A because "wrong file"`,
	},
}

// Verbs lists all verbs in the order of grammar.md.
func Verbs() []Verb {
	return []Verb{Replace, Pick, Delete, Append, Create, Rename, Read, Search, List, Preview, Task, Remember, Commit, Revert, Drop}
}

// synonyms are the words that people say for a verb. They are only suggested: a guessed verb could do harm.
var synonyms = map[string]Verb{
	"change": Replace, "substitute": Replace, "swap": Replace, "edit": Replace, "set": Replace,
	"choose": Pick, "take": Pick, "select": Pick, "use": Pick,
	"remove": Delete, "rm": Delete, "erase": Delete, "cut": Delete,
	"add": Append, "insert": Append, "write": Append,
	"make": Create, "new": Create, "touch": Create, "move": Rename, "mv": Rename,
	"open": Read, "cat": Read, "print": Read,
	"find": Search, "grep": Search, "look": Search,
	"ls": List, "dir": List, "files": List,
	"show": Preview, "diff": Preview, "status": Preview,
	"begin": Task, "start": Task, "plan": Task, "goal": Task,
	"note": Remember, "memorize": Remember, "memorise": Remember,
	"save": Commit, "finish": Commit, "accept": Commit, "apply": Commit,
	"undo": Revert, "abort": Revert, "cancel": Revert, "discard": Drop, "withdraw": Drop,
}

// nearestVerb finds the verb that was meant by a word, or "".
func nearestVerb(word string) Verb {
	word = strings.ToLower(word)
	if v, ok := synonyms[word]; ok {
		return v
	}
	best, nearest := 3, Verb("")
	for _, v := range Verbs() {
		if d := distance(word, string(v)); d < best && d < len(v)-1 {
			best, nearest = d, v
		}
	}
	return nearest
}

// distance counts the letters to change, add, leave out or swap with the next to get from a to b.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > 32 {
		return len(s)
	}
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
		for j := 1; j <= len(t); j++ {
			if i == 0 {
				rows[i][j] = j
				continue
			}
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(s)][len(t)]
}

// reserved holds for the words that end a step or begin a clause: as file names they must be quoted.
func reserved(word string) bool {
	word = strings.ToLower(word)
	return word == "then" || word == "and" || slices.Contains(clauses, clause(word))
}
