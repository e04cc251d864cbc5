package match

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// hintLines is how many lines of the file a hint shows.
const hintLines = 12

// ask is the result for places that only resemble old_text.
func (h *haystack) ask(n nearby) Result {
	r := Result{Kind: Near, Code: "near_match", Near: true, Total: len(n.matches), Diffs: n.diffs, TimedOut: n.late}
	r.Matches, r.Recommended, r.Why = h.choose(n.matches)
	h.tellApart(r.Matches)
	r.Hint = "old_text is not in the file, but something like it: the diff shows how the file (+) differs from old_text (-). " +
		"If that is the place, repeat the call with its match_id; lines that you do not change keep the file's text" + lateHint(n.late)
	return r
}

func lateHint(late bool) string {
	if late {
		return ". The search for similar places ran out of time, so there may be others"
	}
	return ""
}

// miss is the result for a text that is nowhere: it shows what comes closest.
func (h *haystack) miss(old string, n nearby) Result {
	r := Result{Kind: NoMatch, Code: "no_match", TimedOut: n.late}
	r.Hint = "old_text is not in the file"
	if strings.Contains(old, "⟦") {
		r.Hint += "; a mark like ⟦E9⟧ stands for a byte that is no text, which old_text cannot match: leave it out"
	}
	if n.best.Start >= n.best.End {
		r.Hint += " and nothing in it is like it; read the file again, or search it with search_text" + lateHint(n.late)
		return r
	}
	_, body, _ := edges(old, Unicode)
	lines := h.fileLines(n.best.Start, n.best.End)
	first := h.t.LineOf(n.best.Start)
	if i, is, was := differs(lines, strings.Split(body, "\n")); i >= 0 {
		r.Hint += fmt.Sprintf("; in the most similar place the first line that differs is line %d: the file has `%s`, old_text has `%s`",
			first+i+1, text.Visible(cut(is)), text.Visible(cut(was)))
	}
	r.Hint += ". The file has there:\n" + h.listing(first, len(lines)) + "Copy old_text from the file as it is now" + lateHint(n.late)
	return r
}

// differs is the first line that is not the same on both sides, if there is one.
func differs(file []fileLine, old []string) (i int, is, was string) {
	for i := range max(len(file), len(old)) {
		is, was := "(nothing)", "(nothing)"
		if i < len(file) {
			is = file[i].text
		}
		if i < len(old) {
			was = old[i]
		}
		if is != was && (seen(is) != seen(was) || i == max(len(file), len(old))-1) {
			return i, is, was
		}
	}
	return -1, "", ""
}

// listing shows some lines of the file with their numbers.
func (h *haystack) listing(first, n int) string {
	var sb strings.Builder
	for i := first; i < first+min(n, hintLines); i++ {
		fmt.Fprintf(&sb, "%5d│ %s\n", i+1, text.MarkStray(cut(h.t.Line(i))))
	}
	return sb.String()
}

// shown is a line of a diff.
func shown(line string) string { return cut(text.MarkStray(trim(line))) }

// lineDiff shows how the lines of a file differ from those of old_text.
func lineDiff(old, file string) string {
	a, b := strings.Split(old, "\n"), strings.Split(file, "\n")
	to, _ := pairLines(a, b, seen)
	var out []string
	j := 0
	for i, l := range a {
		t := to[i]
		if t >= 0 {
			for ; j < t; j++ {
				out = append(out, "+ "+shown(b[j]))
			}
			j = t + 1
			if seen(l) == seen(b[t]) {
				continue
			}
		}
		out = append(out, "- "+shown(l))
		if t >= 0 {
			out = append(out, "+ "+shown(b[t]))
		}
	}
	for ; j < len(b); j++ {
		out = append(out, "+ "+shown(b[j]))
	}
	if len(out) > hintLines {
		out = append(out[:hintLines], "…")
	}
	return strings.Join(out, "\n")
}
