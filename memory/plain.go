package memory

import (
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"strings"
)

// UnknownTool is the name of a called tool that had none.
const UnknownTool = "unknown_tool"

const (
	maxCallID   = 40
	maxToolName = 64
	maxTools    = 128
	shortID     = 9 // Mistral takes nothing else, and nobody else minds
)

// IsShortID tells whether an id is nine letters and digits.
func IsShortID(id string) bool {
	return len(id) == shortID && plain(id, shortID) && !strings.ContainsAny(id, "_-")
}

// ShortID makes such an id of a text.
func ShortID(seed string) string {
	sum := sha256.Sum256([]byte(seed))
	return (new(big.Int).SetBytes(sum[:]).Text(62) + strings.Repeat("0", shortID))[:shortID]
}

// plain tells whether s is 1 to limit letters, digits, _ and -.
func plain(s string, limit int) bool {
	return s != "" && len(s) <= limit && !strings.ContainsFunc(s, notPlain)
}

func notPlain(c rune) bool {
	return c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
}

// toolName is a function name as chat APIs take it. A model may call what does
// not exist; its call must not spoil the requests after it.
func toolName(name string) string {
	if plain(name, maxToolName) {
		return name
	}
	name = strings.Map(func(c rune) rune {
		if notPlain(c) {
			return '_'
		}
		return c
	}, name)
	if name == "" {
		return UnknownTool
	}
	return name[:min(len(name), maxToolName)]
}

// IsObject tells whether a text is a JSON object: servers parse the arguments of old calls, and
// templates walk through them.
func IsObject(text string) bool {
	bare := strings.Trim(text, " \t\r\n")
	return strings.HasPrefix(bare, "{") && strings.HasSuffix(bare, "}") && json.Valid([]byte(bare))
}

// object is what a model wrote instead of arguments, kept in an object: it needs to see what it
// wrote to understand the tool's answer to it.
func object(arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		return "{}"
	}
	text, err := Marshal(map[string]string{"malformed_arguments": arguments})
	if err != nil { // a text always marshals
		return "{}"
	}
	return string(text)
}

// Paragraphs joins two texts with a blank line, where both say something.
func Paragraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return strings.TrimRight(a, "\n") + "\n\n" + b
}
