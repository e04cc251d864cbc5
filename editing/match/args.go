package match

import "github.com/galley-ls/galley/editing/text"

// badArguments answers a question that no text could answer. old and new have
// plain line endings.
func badArguments(t text.Text, old, new string) (Result, bool) {
	switch {
	case t.Len() > 0 && allBlank(old):
		return refused("empty_old_text", "old_text is empty or blank, so there is nothing to find; "+
			"repeat the call with the text that stands there now. To add text use memo_append, for a whole file use write"), true
	case old == new:
		return refused("no_change", "new_text is the same as old_text, so nothing would change; put the text as it shall be into new_text"), true
	}
	return leavesOut(old, new)
}

// leavesOut refuses a new_text that stands for more than it says.
func leavesOut(old, new string) (Result, bool) {
	line := placeholder(old, new)
	if line == "" {
		return Result{}, false
	}
	return refused("placeholder", "new_text has the line `"+text.Visible(line)+"`, which stands for text that it leaves out, and old_text has no such line: "+
		"that text would be lost. Write it out in full, or take a smaller old_text"), true
}
