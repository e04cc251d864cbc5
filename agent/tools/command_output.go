package tools

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

const (
	// maxOutput is how many bytes of a command's output the model gets.
	maxOutput = 30 << 10
	// keptRaw is what is kept of it as it comes, at each end: much of it may be
	// colours.
	keptRaw = 64 << 10
)

// capture takes in what a command prints: the beginning and the end.
type capture struct {
	hide memory.Secrets

	mu    sync.Mutex // guards what follows
	head  []byte
	tail  []byte // its last keptRaw bytes count
	total int64
}

// Write implements io.Writer.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += int64(len(p))
	n := min(len(p), keptRaw-len(c.head))
	c.head = append(c.head, p[:n]...)
	c.tail = append(c.tail, p[n:]...)
	if len(c.tail) > 4*keptRaw {
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-keptRaw:]...)
	}
	return len(p), nil
}

// text is what the model gets to see, and how many bytes are left out of it.
// Secrets are looked for before anything is cut: half of one would not be known.
func (c *capture) text() (string, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tail := c.tail[max(0, len(c.tail)-keptRaw):]
	missing := c.total - int64(len(c.head)+len(tail))
	if missing == 0 {
		return withoutMiddle(c.hide.Mask(tidy(string(c.head) + string(tail))))
	}
	// What the ends of the gap cut in two may be half of a secret.
	edge := c.hide.Longest()
	begin, end := c.hide.Mask(tidy(string(c.head))), c.hide.Mask(tidy(string(tail)))
	begin, end = begin[:max(0, len(begin)-edge)], end[min(len(end), edge):]
	begin, end = firstLines(begin), lastLines(end)
	return joined(begin, end, c.total-int64(len(begin)+len(end)))
}

// withoutMiddle leaves the middle of a long text out.
func withoutMiddle(text string) (string, int64) {
	if len(text) <= maxOutput {
		return text, 0
	}
	begin, end := firstLines(text), lastLines(text)
	return joined(begin, end, int64(len(text)-len(begin)-len(end)))
}

func joined(begin, end string, dropped int64) (string, int64) {
	return fmt.Sprintf("%s\n… %d bytes left out …\n%s", strings.TrimSuffix(begin, "\n"), dropped, end), dropped
}

// firstLines is the beginning of a text, whole lines where they are not too long.
func firstLines(text string) string {
	const most = maxOutput / 2
	if len(text) <= most {
		return text
	}
	text = text[:most]
	if i := strings.LastIndexByte(text, '\n'); i > most/2 {
		return text[:i+1]
	}
	for i := 0; i < utf8.UTFMax && !utf8.ValidString(text); i++ {
		text = text[:len(text)-1]
	}
	return text
}

// lastLines is the end of a text, likewise.
func lastLines(text string) string {
	const most = maxOutput / 2
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	if i := strings.IndexByte(text, '\n'); i >= 0 && i < most/2 {
		return text[i+1:]
	}
	for text != "" && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// escapes are what terminals take for commands: colours, titles, movements.
var escapes = text.Pattern(`\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|[ -/]+[0-~]|[0-Z\\-~])`)

// overstruck is a character that another one is printed over.
var overstruck = text.Pattern(`[^\n\x08]\x08`)

// tidy is printed text as a person reads it on a screen: valid UTF-8, without
// escapes, each line in its last state.
func tidy(text string) string {
	text = strings.ToValidUTF8(text, "�")
	text = escapes().ReplaceAllString(text, "")
	text = overstruck().ReplaceAllString(text, "")
	if strings.Contains(text, "\r") {
		text = rewritten(text)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// rewritten keeps of each line what was written over it last.
func rewritten(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		body, ended := strings.CutSuffix(line, "\n")
		body = strings.TrimRight(body, "\r")
		out.WriteString(body[strings.LastIndexByte(body, '\r')+1:])
		if ended {
			out.WriteByte('\n')
		}
	}
	return out.String()
}
