package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// overviewWarnSize is where the overview begins to cost more than it tells.
	overviewWarnSize = 5 << 10
	// DefaultOverviewBudget is what of the overview goes into a request.
	DefaultOverviewBudget = 16 << 10
)

// shownOverview is overview.md as a request has it.
type shownOverview struct {
	text     string
	size     int      // of the file, in bytes
	notices  []string // lines that stand above the text
	warnings []string // lines of the meta block: the notices, and what else a person should know
}

// overview reads overview.md for a request. Trouble is shown in its place or
// beside it; the memory is never silently empty.
func (s *Store) overview(budget int) shownOverview {
	text, _, err := s.ReadMemory(overviewFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return trouble("it does not exist; galley makes it anew")
	case err != nil:
		return trouble(err.Error())
	case !readable(text):
		return trouble("it is not UTF-8 text: save it as UTF-8")
	}
	o := shownOverview{text: text, size: len(text)}
	if !utf8.ValidString(text) {
		o.warn("it holds bytes that are not UTF-8, shown as �")
		o.text = strings.ToValidUTF8(text, "�")
	}
	o.text = strings.TrimPrefix(o.text, bom)
	if blank(o.text) {
		o.warn("it is empty; galley makes it anew")
	} else {
		if _, _, err := s.frontOf(o.text); err != nil {
			o.warn(err.Error() + "; galley puts it right with the next step")
		}
	}
	if healed := s.healed(); healed != "" {
		o.warn(healed)
	}
	if budget <= 0 {
		budget = DefaultOverviewBudget
	}
	if o.size > overviewWarnSize {
		o.warnings = append(o.warnings, aboutOverview(fmt.Sprintf("it is %.1f KB, over %d KB: move what is not needed in each request to %s/detail/",
			float64(o.size)/1024, overviewWarnSize>>10, memoryDir)))
	}
	if len(o.text) > budget {
		var lost int
		o.text, lost = cutLines(o.text, budget)
		o.warn(fmt.Sprintf("it is over its budget of %s: %d lines are left out here, they are in the file", size(budget), lost))
	}
	return o
}

func trouble(why string) shownOverview {
	var o shownOverview
	o.warn(why)
	return o
}

// warn says what is wrong with the text, beside it and in the meta block.
func (o *shownOverview) warn(why string) {
	o.notices = append(o.notices, aboutOverview(why))
	o.warnings = append(o.warnings, aboutOverview(why))
}

func aboutOverview(what string) string {
	return fmt.Sprintf("⚠️ %s/%s: %s", memoryDir, overviewFile, what)
}

// frontOf cuts a text into its front matter and the body, and says what is wrong with the
// first.
func (s *Store) frontOf(text string) (front, body string, fault error) {
	front, body, fault = splitFront(text)
	if fault != nil {
		return front, body, fault
	}
	s.mu.Lock()
	known := s.frontRead == front && front != ""
	s.mu.Unlock()
	if known { // reading it takes longer than all else
		return front, body, nil
	}
	if _, fault = parseFront(front); fault == nil {
		s.mu.Lock()
		s.frontRead = front
		s.mu.Unlock()
	}
	return front, body, fault
}

// readable tells text from what only calls itself so.
func readable(s string) bool {
	if strings.IndexByte(s, 0) >= 0 {
		return false
	}
	bad := 0
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				bad++
			}
		}
	}
	return bad*10 <= len(s)
}

func size(n int) string {
	if n >= 1<<10 && n%(1<<10) == 0 {
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// cutLines leaves out whole lines until at most budget bytes are left: the
// oldest of the slots that matter least first, headings and front matter last
// of all. It tells how many are gone.
func cutLines(text string, budget int) (string, int) {
	_, body, err := splitFront(text)
	head := strings.TrimSuffix(text, body)
	if err != nil || len(head) > budget/2 {
		head, body = "", text
	}
	lines := strings.Split(body, "\n")
	keep := slices.Repeat([]bool{true}, len(lines))
	left, lost := len(text), 0
	for _, i := range cutOrder(lines) {
		if left <= budget {
			break
		}
		keep[i] = false
		left -= len(lines[i]) + 1
		lost++
	}
	var out []string
	for i, l := range lines {
		if keep[i] {
			out = append(out, l)
		}
	}
	if len(out) == 0 { // the break behind the front matter goes with the last line
		head = strings.TrimSuffix(head, "\n")
	}
	return head + strings.Join(out, "\n"), lost
}

// cutOrder is the lines in the order in which they may go.
func cutOrder(lines []string) []int {
	all := sections(lines)
	slices.SortStableFunc(all, func(a, b section) int { return rankOf(a.heading) - rankOf(b.heading) })
	var order, headings []int
	for _, s := range all {
		for i := s.first; i < s.last; i++ {
			order = append(order, i)
		}
		if s.first > 0 {
			headings = append(headings, s.first-1)
		}
	}
	slices.Sort(headings)
	return append(order, headings...)
}

func rankOf(heading string) int {
	for _, s := range slots {
		if strings.EqualFold(s.heading, heading) {
			return s.rank
		}
	}
	return otherRank
}
