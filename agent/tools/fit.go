package tools

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// lineMost is how many characters of a line a result shows.
const lineMost = 2000

// leftOut ends what stands for the middle of a long line. It is no text of the file: see quotesLeftOut.
const leftOut = " characters left out …⟧"

// fit cuts the text of a result to a budget in tokens, by whole lines, and says how to read on. A result stays in the
// conversation: one large read must not fill the model's context.
func fit(o Outcome, budget int) Outcome {
	if o.Text == nil {
		return o
	}
	var sb strings.Builder
	shown, all, cost := 0, 0, 0
	for line := range strings.Lines(*o.Text) {
		if all++; shown < all-1 {
			continue
		}
		line = cutMiddle(line)
		if cost += memory.CountTokens(line); cost > budget && shown > 0 {
			continue
		}
		sb.WriteString(line)
		shown++
	}
	text := sb.String()
	if text == *o.Text {
		return o
	}
	o.Text = &text
	switch more := all - shown; {
	case more == 0:
		o.hint("the middle of long lines is left out: search_text finds what stands there")
	case o.StartLine != nil && o.EndLine != nil:
		end := *o.StartLine + shown - 1
		o.EndLine = &end
		o.Hint = fmt.Sprintf("%d more lines: read again with start_line %d", *o.TotalLines-end, end+1)
	default:
		o.hint(fmt.Sprintf("%d more lines are left out", more))
	}
	return o
}

func (o *Outcome) hint(text string) {
	if o.Hint != "" {
		text = o.Hint + "; " + text
	}
	o.Hint = text
}

// cutMiddle leaves out the middle of a long line.
func cutMiddle(line string) string {
	if len(line) <= lineMost {
		return line
	}
	r := []rune(line)
	if len(r) <= lineMost {
		return line
	}
	half := lineMost / 2
	return fmt.Sprintf("%s⟦… %d%s%s", string(r[:half]), len(r)-2*half, leftOut, string(r[len(r)-half:]))
}

// quotesLeftOut tells whether the arguments of a call quote what stands for the middle of a long line.
func quotesLeftOut(arguments string) bool { return strings.Contains(arguments, leftOut) }
