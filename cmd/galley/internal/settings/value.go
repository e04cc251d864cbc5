package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// read takes a value as it was written, or says what is wrong with it.
func (r Row) read(n node) (any, error) {
	if key := repeated(n); key != "" {
		return nil, fmt.Errorf("%s has %s twice; remove one of them", r.Name, shownName(key))
	}
	v, err := r.convert(n)
	if err == nil && r.check != nil {
		err = r.check(v)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w", r.Name, err)
	}
	return v, nil
}

func (r Row) convert(n node) (any, error) {
	switch r.Kind {
	case Text, Path:
		return lineOfText(n)
	case Word:
		return r.word(n)
	case Flag:
		if b, ok := n.value.(bool); ok {
			return b, nil
		}
		return nil, fmt.Errorf("must be true or false, and is %s", shown(n))
	case Number:
		return r.number(n)
	case Decimal:
		return r.decimal(n)
	case Duration:
		return r.duration(n)
	case Texts:
		return texts(n)
	case Headers:
		return headers(n)
	}
	if _, ok := n.value.([]entry); !ok {
		return nil, fmt.Errorf("must be an object, and is %s", shown(n))
	}
	return n.plain(), nil
}

// repeated is a key that stands twice in one object, "" if there is none.
func repeated(n node) string {
	switch v := n.value.(type) {
	case []node:
		for _, item := range v {
			if key := repeated(item); key != "" {
				return key
			}
		}
	case []entry:
		known := map[string]bool{}
		for _, e := range v {
			if known[e.key] {
				return e.key
			}
			known[e.key] = true
			if key := repeated(e.node); key != "" {
				return key
			}
		}
	}
	return ""
}

// shown is a value in a complaint: short, and only where it can be no key.
func shown(n node) string {
	switch v := n.value.(type) {
	case nil:
		return "empty"
	case []node:
		return "a list"
	case []entry:
		return "an object"
	case string:
		if len(v) > 24 {
			return "a longer text"
		}
		return strconv.Quote(v)
	}
	b, err := json.Marshal(n.value)
	if err != nil {
		return "something else"
	}
	return string(b)
}

func lineOfText(n node) (any, error) {
	s, ok := n.value.(string)
	switch {
	case !ok && (n.value == nil || isList(n) || isObject(n)):
		return nil, fmt.Errorf("must be text, and is %s", shown(n))
	case !ok:
		return nil, fmt.Errorf("must be text; put %s in quotes", shown(n))
	case strings.ContainsAny(s, "\n\r\x00"):
		return nil, errors.New("must be text of one line")
	}
	return s, nil
}

func isList(n node) bool   { _, ok := n.value.([]node); return ok }
func isObject(n node) bool { _, ok := n.value.([]entry); return ok }

func (r Row) word(n node) (any, error) {
	s, ok := n.value.(string)
	if ok && slices.Contains(r.Words, s) {
		return s, nil
	}
	if near := Nearest(strings.ToLower(s), r.Words); ok && near != "" {
		return nil, fmt.Errorf("is %s; did you mean %q?", shown(n), near)
	}
	return nil, fmt.Errorf("is %s; it is one of %s", shown(n), strings.Join(r.Words, ", "))
}

func (r Row) number(n node) (any, error) {
	v, ok := n.value.(int64)
	if !ok {
		return nil, fmt.Errorf("must be a whole number, and is %s", shown(n))
	}
	if float64(v) < r.Min || float64(v) > r.Max {
		return nil, fmt.Errorf("is %d; it must be %s", v, r.bounds())
	}
	return int(v), nil
}

func (r Row) decimal(n node) (any, error) {
	v, ok := n.value.(float64)
	if whole, isWhole := n.value.(int64); isWhole {
		v, ok = float64(whole), true
	}
	switch {
	case !ok:
		return nil, fmt.Errorf("must be a number, and is %s", shown(n))
	case !(v >= r.Min && v <= r.Max): // also what is no number
		return nil, fmt.Errorf("is %v; it must be %s", v, r.bounds())
	}
	return v, nil
}

func (r Row) bounds() string {
	if r.Kind == Duration {
		return fmt.Sprintf("%s to %s", formatDuration(time.Duration(r.Min)), formatDuration(time.Duration(r.Max)))
	}
	return fmt.Sprintf("%s to %s", formatNumber(r.Min), formatNumber(r.Max))
}

func formatNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// formatDuration writes 1m0s as people do: 60s, 5m, 1h.
func formatDuration(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d >= 2*time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d%time.Second == 0:
		return fmt.Sprintf("%ds", d/time.Second)
	}
	return d.String()
}

func (r Row) duration(n node) (any, error) {
	s, ok := n.value.(string)
	if !ok {
		return nil, fmt.Errorf("must be a time like 90s or 2m, and is %s", shown(n))
	}
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return nil, fmt.Errorf("must be a time like 90s or 2m, and is %s", shown(n))
	case float64(d) < r.Min || float64(d) > r.Max:
		return nil, fmt.Errorf("is %s; it must be %s", s, r.bounds())
	}
	return d, nil
}

func texts(n node) (any, error) {
	list, ok := n.value.([]node)
	if !ok {
		return nil, fmt.Errorf("must be a list of texts, and is %s", shown(n))
	}
	out := make([]string, len(list))
	for i, item := range list {
		s, err := lineOfText(item)
		if err != nil {
			return nil, fmt.Errorf("must be a list of texts; entry %d %w", i+1, err)
		}
		out[i], _ = s.(string)
	}
	return out, nil
}

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

func headers(n node) (any, error) {
	list, ok := n.value.([]entry)
	if !ok {
		return nil, fmt.Errorf("must be an object of names and texts, and is %s", shown(n))
	}
	out := make(map[string]string, len(list))
	for _, e := range list {
		s, isText := e.node.value.(string)
		switch {
		case !headerName.MatchString(e.key):
			return nil, fmt.Errorf("has a name that no header can have: %s", shownName(e.key))
		case !isText:
			return nil, fmt.Errorf("has a value for %s that is no text; put it in quotes", e.key)
		case strings.ContainsAny(s, "\r\n\x00"):
			return nil, fmt.Errorf("has a value for %s of more than one line", e.key)
		}
		out[e.key] = s
	}
	return out, nil
}

// isURL wants an address of a server. The address is not told: it may hold a password.
func isURL(v any) error {
	s, _ := v.(string)
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return errors.New("is no address; it looks like http://localhost:11434/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("must begin with http:// or https://")
	case u.Host == "":
		return errors.New("names no server; it looks like http://localhost:11434/v1")
	}
	return nil
}

var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// isVariable wants the name of a variable. What is none is not told: it may be the key itself.
func isVariable(v any) error {
	s, _ := v.(string)
	if s == "" || variableName.MatchString(s) {
		return nil
	}
	return errors.New("is the name of an environment variable, in capitals; the key itself stands in that variable and in no file")
}

// fromText is what the text of a variable or a flag says; lists and objects are JSON.
func (r Row) fromText(s string) (node, error) {
	switch r.Kind {
	case Text, Word, Path, Duration:
		return node{value: s}, nil
	case Flag:
		if b, err := strconv.ParseBool(s); err == nil {
			return node{value: b}, nil
		}
		return node{value: s}, nil
	case Number, Decimal:
		if n, err := parseJSON([]byte(s)); err == nil && n.value != nil {
			return n, nil
		}
		return node{value: s}, nil
	}
	n, err := parseJSON([]byte(s))
	if err != nil {
		return node{}, fmt.Errorf("%s must be JSON, like %s", r.Name, map[Kind]string{
			Texts: `["*.lock"]`, Headers: `{"X-Title":"galley"}`, Object: `{"top_k":40}`,
		}[r.Kind])
	}
	return n, nil
}
