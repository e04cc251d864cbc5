package host

import "sync"

// Inbox takes prompts while a run is going on. The zero value is ready to use; one inbox serves one run. Only the run
// takes prompts out of it.
type Inbox struct {
	mu     sync.Mutex
	soon   []string // guarded by mu, like all below
	later  []string
	closed bool
}

// Push hands over a prompt for the next step. False means that the run is over: start another one.
func (b *Inbox) Push(text string) bool { return b.add(&b.soon, text) }

// Queue hands over a prompt for when the run would otherwise be done. False means that the run is over.
func (b *Inbox) Queue(text string) bool { return b.add(&b.later, text) }

func (b *Inbox) add(to *[]string, text string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		*to = append(*to, text)
	}
	return !b.closed
}

// Take returns the prompts for the next step.
func (b *Inbox) Take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	texts := b.soon
	b.soon = nil
	return texts
}

// Next returns what to go on with at the end of a run. If there is nothing the inbox closes in the same moment, so
// that no prompt falls between two runs.
func (b *Inbox) Next() (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, texts := range []*[]string{&b.soon, &b.later} {
		if len(*texts) > 0 {
			text := (*texts)[0]
			*texts = (*texts)[1:]
			return text, true
		}
	}
	b.closed = true
	return "", false
}

// Close ends the inbox and returns what nobody took.
func (b *Inbox) Close() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	left := append(b.soon, b.later...)
	b.soon, b.later, b.closed = nil, nil, true
	return left
}
