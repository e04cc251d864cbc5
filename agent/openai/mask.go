package openai

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/memory"
)

const (
	secret      = "[secret]"
	quoteMost   = 300       // characters of a server's text that are shown
	quoteRead   = 16 * 1024 // bytes of it that are looked at
	secretLeast = 4         // what is shorter is no secret, and would take holes into every text
	secretPart  = 8         // as many characters of a key in a row give it away
)

// mask takes secrets out of texts that come from a server.
type mask struct {
	exact []string        // longest first
	parts map[string]bool // all pieces of secretPart bytes of the secrets
}

func newMask(cfg Config, a address) mask {
	secrets := []string{cfg.Key}
	if password, ok := a.user.Password(); ok {
		secrets = append(secrets, password, base64.StdEncoding.EncodeToString([]byte(a.user.Username()+":"+password)))
	} else { // a token may stand in the user's place
		secrets = append(secrets, a.user.Username())
	}
	for _, values := range a.query {
		secrets = append(secrets, values...)
	}
	for name, value := range cfg.Profile.Headers {
		if secretHeader().MatchString(name) {
			secrets = append(secrets, value)
		}
	}
	m := mask{parts: map[string]bool{}}
	for _, s := range secrets {
		m.add(s)
	}
	slices.SortFunc(m.exact, func(a, b string) int { return len(b) - len(a) })
	return m
}

var (
	secretHeader = memory.Pattern(`(?i)auth|key|token|secret|cookie|password|credential|signature`)
	// what looks like a key, if it is one or only a part of one that the server has masked itself
	keyShape = memory.Pattern(`(?i)\b(sk-|sk_|gsk_|xai-|AIza|hf_|nvapi-)[A-Za-z0-9*._-]{6,}|\bBearer\s+[^\s"',}]+`)
)

// add hides a secret and the forms in which a server may give it back.
func (m *mask) add(s string) {
	if len(s) < secretLeast {
		return
	}
	forms := []string{s, url.QueryEscape(s), url.PathEscape(s), hex.EncodeToString([]byte(s))}
	forms = append(forms, base64Forms(s)...)
	for _, f := range forms {
		if f != "" && !slices.Contains(m.exact, f) {
			m.exact = append(m.exact, f)
		}
		for i := 0; i+secretPart <= len(f); i++ {
			m.parts[f[i:i+secretPart]] = true
		}
	}
}

// base64Forms are the characters that stand for s in a base64 text, wherever in it s begins.
func base64Forms(s string) (forms []string) {
	for shift := range 3 {
		raw := append(make([]byte, shift), s...)
		text := base64.RawStdEncoding.EncodeToString(raw[:len(raw)/3*3])
		text = text[min(len(text), (shift*8+5)/6):] // what the bytes before s have part in is not of s alone
		if len(text) >= secretPart {
			forms = append(forms, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
		}
	}
	return forms
}

// hide replaces every secret, and every longer piece of one, in a text.
func (m mask) hide(text string) string {
	for _, s := range m.exact {
		text = strings.ReplaceAll(text, s, secret)
	}
	text = keyShape().ReplaceAllString(text, secret)
	return m.hideParts(text)
}

func (m mask) hideParts(text string) string {
	var b strings.Builder
	shown := 0
	for i := 0; i+secretPart <= len(text); i++ {
		if !m.parts[text[i:i+secretPart]] {
			continue
		}
		end := i + secretPart
		for end < len(text) && m.parts[text[end-secretPart+1:end+1]] {
			end++
		}
		b.WriteString(text[shown:i] + secret)
		shown, i = end, end-1
	}
	b.WriteString(text[shown:])
	return b.String()
}

// quote makes a server's text fit for a sentence: no secrets, one line, no control characters, not long.
func (m mask) quote(text string) string {
	if len(text) > quoteRead {
		text = text[:quoteRead]
	}
	text = m.hide(strings.ToValidUTF8(text, "�"))
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	text = m.hide(strings.Join(strings.Fields(text), " ")) // what was taken out may have stood in the middle of one
	if utf8.RuneCountInString(text) > quoteMost {
		text = strings.TrimSpace(string([]rune(text)[:quoteMost])) + "…"
	}
	return text
}
