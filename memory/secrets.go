package memory

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// SecretMark is shown in the place of a secret.
const SecretMark = "[secret]"

// minSecret is how many characters a secret must have: shorter ones would shred
// every text that happens to hold them.
const minSecret = 8

// Secrets are texts that nobody may see: API keys and the like. They are found in
// texts as they are, as JSON writes them, and inside JSON that stands in a text.
// The zero value hides nothing.
//
// Each line of a secret is a secret by itself, so that it stays hidden where texts
// are shown line by line; lines shorter than 8 characters are not hidden.
type Secrets struct {
	words []string // the secrets and how JSON writes them, the longest first
	marks *strings.Replacer
}

// NewSecrets makes secrets of these texts.
func NewSecrets(texts []string) Secrets {
	var s Secrets
	for _, t := range texts {
		for line := range strings.Lines(t) {
			s.add(strings.TrimSpace(line))
		}
	}
	slices.SortFunc(s.words, func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	s.words = slices.Compact(s.words)
	var pairs []string
	for _, w := range s.words {
		pairs = append(pairs, w, SecretMark)
	}
	s.marks = strings.NewReplacer(pairs...)
	return s
}

func (s *Secrets) add(secret string) {
	if utf8.RuneCountInString(secret) < minSecret || secret == SecretMark {
		return
	}
	once := spelled(secret)
	// Twice is JSON in a string of JSON: a result in the journal.
	s.words = append(s.words, secret, once, spelled(once), htmlSpelled(secret))
}

// spelled is a text as it stands in a JSON string.
func spelled(text string) string {
	b, err := Marshal(text)
	if err != nil { // a string always marshals
		return text
	}
	return string(b[1 : len(b)-1])
}

// htmlSpelled is spelled by those who escape what HTML gives a meaning.
func htmlSpelled(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return text
	}
	return string(b[1 : len(b)-1])
}

// Mask is a text without secrets. A text that holds none comes back as it is.
func (s Secrets) Mask(text string) string {
	if len(s.words) == 0 {
		return text
	}
	return s.mask(text, 0)
}

// None reports whether there is nothing to hide.
func (s Secrets) None() bool { return len(s.words) == 0 }

// In reports whether a text holds a secret.
func (s Secrets) In(text string) bool { return s.Mask(text) != text }

// Longest is the number of bytes of the longest secret.
func (s Secrets) Longest() int {
	if len(s.words) == 0 {
		return 0
	}
	return len(s.words[0])
}

// Blot is Mask for a text that offsets point into: it keeps the length in bytes.
// It knows only secrets that stand in the text as they are.
func (s Secrets) Blot(text string) string {
	for range rounds {
		if !s.stands(text) {
			return text
		}
		for _, w := range s.words {
			text = strings.ReplaceAll(text, w, SecretMark+strings.Repeat("*", len(w)-len(SecretMark)))
		}
	}
	return strings.Repeat("*", len(text))
}

const (
	// maxNested is how many times JSON in JSON is looked into.
	maxNested = 4
	// rounds is how often a text is looked through: what is left behind a mark may
	// make up another secret with it.
	rounds = 20
)

func (s Secrets) mask(text string, depth int) string {
	escaped := strings.Contains(text, `\`) || strings.Contains(text, `"base64"`)
	switch {
	case !escaped && !s.stands(text):
		return text
	case depth < maxNested && isJSON(text):
		return s.literals(text, depth)
	}
	return s.plain(text)
}

// plain masks what stands in a text as it is.
func (s Secrets) plain(text string) string {
	for range rounds {
		if !s.stands(text) {
			return text
		}
		text = s.marks.Replace(text)
	}
	return SecretMark
}

func (s Secrets) stands(text string) bool {
	return slices.ContainsFunc(s.words, func(w string) bool { return strings.Contains(text, w) })
}

func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.IndexByte(`{["`, text[0]) >= 0 && json.Valid([]byte(text))
}

// literals masks the strings of valid JSON, where escapes may hide a secret, and
// bytes that are kept as base64. All else stays byte for byte: it is JSON still.
func (s Secrets) literals(text string, depth int) string {
	var out strings.Builder
	key := ""
	for {
		from := strings.IndexByte(text, '"')
		if from < 0 {
			break
		}
		lit := text[from : from+literalLen(text[from:])]
		out.WriteString(text[:from])
		out.WriteString(s.literal(lit, key == `"base64"`, depth))
		text = text[from+len(lit):]
		key = ""
		if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), ":") {
			key = lit
		}
	}
	out.WriteString(text)
	return out.String()
}

// literalLen is the length of the string literal that a text begins with.
func literalLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// literal masks one string of JSON, written as such; it may stand for bytes.
func (s Secrets) literal(lit string, isBytes bool, depth int) string {
	var was string
	switch {
	case !strings.Contains(lit, `\`):
		was = strings.Trim(lit, `"`)
	case json.Unmarshal([]byte(lit), &was) != nil:
		return lit
	}
	now := s.mask(was, depth+1)
	if isBytes && now == was {
		now = s.encoded(was)
	}
	if now == was {
		return lit
	}
	return `"` + spelled(now) + `"`
}

// encoded masks what base64 stands for.
func (s Secrets) encoded(text string) string {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !s.stands(string(raw)) {
		return text
	}
	return base64.StdEncoding.EncodeToString([]byte(s.plain(string(raw))))
}

// payload masks a payload of the journal.
func (s Secrets) payload(data []byte) []byte {
	if len(s.words) == 0 {
		return data
	}
	return []byte(s.literals(string(data), 0))
}

// hide masks a request. What was journaled before a secret was known is hidden
// here.
func (s Secrets) hide(r *Request) {
	if len(s.words) == 0 {
		return
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		m.Content, m.Reasoning = s.plain(m.Content), s.plain(m.Reasoning)
		for k, c := range m.ToolCalls {
			masked := c
			masked.Arguments = s.plain(c.Arguments)
			if c.Extra != nil {
				masked.Extra = json.RawMessage(s.plain(string(c.Extra)))
			}
			if masked.Arguments != c.Arguments || string(masked.Extra) != string(c.Extra) {
				m.ToolCalls = slices.Clone(m.ToolCalls) // the view shares it
				m.ToolCalls[k] = masked
			}
		}
	}
	for i := range r.Tools {
		r.Tools[i].Description = s.plain(r.Tools[i].Description)
	}
}

// Hide keeps secrets out of everything that is written or asked from now on: the
// journal, the memory files and the requests.
func (s *Store) Hide(secrets Secrets) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secrets = secrets
}

// Mask is a text without the store's secrets.
func (s *Store) Mask(text string) string {
	s.mu.Lock()
	secrets := s.secrets
	s.mu.Unlock()
	return secrets.Mask(text)
}
