package match

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// A placeholder is a line that says that text is left out: a comment of nothing
// but dots, a short one that begins with dots and speaks of the rest, one whose
// words can mean nothing else, or, if it ends in dots, hardly anything else.
var (
	aboutTheRest = text.Pattern(`(?i)\b(rest|remain(s|ing|der)?|unchanged|existing|previous|same|others?|omitted|unmodified|elided|code|original|keep)\b`)

	leftOut = `((here|as (is|before)|is|are|stays?|remains?|unchanged|the same|omitted|goes|go|continues|not shown|for brevity|elided|unmodified|untouched)[ ,.]*)*$`
	surely  = text.Pattern(`(?i)^(the |all |the |your |keep )*((rest|remainder) of (the |your |this |that )?([\w.]+ )?` +
		`(code|file|functions?|methods?|class(es)?|module|implementation|contents?|body|script|document|component)` +
		`|(existing|previous|original|unchanged|remaining|unmodified) (code|implementation|contents?))[ ,:]*` + leftOut)
	unchanged = text.Pattern(`(?i)^((the )?(code|everything|rest|remainder|all|lines? \d+( ?[-–] ?\d+)?)[ ,:]*)*` +
		`((remains?|stays?|is|are|left|kept) )?(unchanged|unmodified|omitted|elided|snip|snipped)( for brevity)?$|` +
		`(?i)^(the )?(code|everything|rest|remainder) (remains?|stays?|is|as) (the same|before)( as before)?$`)
	likely = text.Pattern(`(?i)^(the |all |your |keep )*((rest|remainder) of .*|` +
		`(existing|previous|original|unchanged|remaining|other|more|unmodified) [\w.]+( [\w.]+)?|same as (before|above)|no changes?)[ ,:]*` + leftOut)
)

// Placeholder returns the first line of new, the text of a whole file, that stands
// for text of old which was left out; "" if there is none.
func Placeholder(old, new string) string { return placeholder(old, new) }

const shortComment = 8 // words

// placeholder is the first line of new that stands for omitted text, if old has
// fewer such lines.
func placeholder(old, new string) string {
	allowed := make(map[string]int)
	spare := 0
	for _, l := range strings.Split(old, "\n") {
		if l = trim(l); elision(l) || omits(l) {
			spare++
		}
		allowed[l]++
	}
	lines := strings.Split(new, "\n")
	for i, l := range lines {
		l = trim(l)
		bare := dots(l) == len(l) && l != ""
		if !bare && !omits(l) {
			continue
		}
		switch {
		case allowed[l] > 0:
			allowed[l]--
			spare--
		case spare > 0 && (bare || elision(l)):
			spare--
		case bare && meant(lines, i, old):
		default:
			return l
		}
	}
	return ""
}

// elision says whether a line is only dots, or a comment of only dots or of dots
// and words.
func elision(line string) bool {
	if dots(line) == len(line) {
		return line != ""
	}
	words, ok := comment(line)
	return ok && words != "" && dots(words) > 0
}

// omits says whether a line can only mean that text is left out.
func omits(line string) bool {
	words, ok := comment(line)
	if !ok {
		return false
	}
	inner := strings.Trim(words, ". …()[]<>*-=")
	switch {
	case dots(words) > 0:
		return inner == "" || len(strings.Fields(inner)) <= shortComment && aboutTheRest().MatchString(inner)
	case surely().MatchString(inner):
		return true
	case strings.HasSuffix(words, "...") || strings.HasSuffix(words, "…"):
		return likely().MatchString(inner) || unchanged().MatchString(inner)
	}
	return !bracketed(line) && unchanged().MatchString(inner)
}

// dots is how many bytes of dots a line begins with: at least three, or an ellipsis.
func dots(s string) int {
	n := len(s) - len(strings.TrimLeft(s, ".…"))
	if n >= 3 {
		return n
	}
	return 0
}

// Comment marks and brackets, longest first, with what may close them.
var (
	commentOpen  = []string{"{/*", "<!--", "///", "/**", "//", "/*", "--[[", "--", "##", "#", ";;", ";", "%", "(*", "*", "[", "(", "<"}
	commentClose = []string{"*/}", "-->", "*/", "]]", "*)", "]", ")", ">", "#"}
)

func bracketed(line string) bool { return line != "" && strings.ContainsRune("*[(<", rune(line[0])) }

// comment is what a line says that is nothing but a comment or in brackets, or
// that begins with dots as prose does; `...rest` is code.
func comment(line string) (words string, ok bool) {
	if n := dots(line); n > 0 {
		return line, strings.HasPrefix(line[n:], " ")
	}
	for _, open := range commentOpen {
		rest, found := strings.CutPrefix(line, open)
		if !found {
			continue
		}
		rest = trim(rest)
		for _, end := range commentClose {
			if cut, found := strings.CutSuffix(rest, end); found {
				return trim(cut), true
			}
		}
		return rest, !bracketed(line) || dots(rest) > 0 && open == "*"
	}
	return "", false
}

// meant says whether the dots at lines[i] are text: no line of old_text is lost to
// them, and they are the body of a Python function or stand in a code block.
func meant(lines []string, i int, old string) bool {
	return (stub(lines, i) || fencedAt(lines, i)) && keepsAll(lines, old)
}

func fencedAt(lines []string, i int) bool {
	inside := false
	for _, l := range lines[:i] {
		inside = inside != strings.HasPrefix(trim(l), "```")
	}
	return inside
}

// stub says whether the dots at lines[i] are the whole body of a Python function
// or class.
func stub(lines []string, i int) bool {
	if i == 0 || !strings.HasSuffix(trim(lines[i-1]), ":") {
		return false
	}
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
	for _, next := range lines[i+1:] {
		if trim(next) == "" {
			continue
		}
		return indent(next) < indent(lines[i])
	}
	return true
}

// keepsAll says whether all lines of old_text are among others.
func keepsAll(lines []string, old string) bool {
	kept := make(map[string]bool)
	for _, l := range lines {
		kept[trim(l)] = true
	}
	for _, l := range strings.Split(old, "\n") {
		if !kept[trim(l)] {
			return false
		}
	}
	return true
}
