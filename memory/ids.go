package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

const (
	maxCallID   = 40
	maxToolName = 64
)

// callIDs gives the calls of a conversation IDs that every chat API takes:
// unique, short, plain. An ID that is so already stays. Which ID a call gets
// depends on nothing but the journal before it, so it never changes again.
type callIDs map[string]bool

// assign is the ID of a call: the index-th of the assistant message that the
// journal holds at seq.
func (ids callIDs) assign(id string, seq int64, index int) string {
	for salt := 0; !plain(id, maxCallID) || ids[id]; salt++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d/%d/%d/%s", seq, index, salt, id))
		id = "call_" + hex.EncodeToString(sum[:12])
	}
	ids[id] = true
	return id
}

// plain tells whether s is 1 to limit letters, digits, _ and -.
func plain(s string, limit int) bool {
	if s == "" || len(s) > limit {
		return false
	}
	for _, c := range []byte(s) {
		if !plainByte(c) {
			return false
		}
	}
	return true
}

func plainByte(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// toolName is a function name as chat APIs take it. A model may call what does
// not exist; its call must not spoil the requests after it.
func toolName(name string) string {
	if plain(name, maxToolName) {
		return name
	}
	b := []byte(name)
	if len(b) > maxToolName {
		b = b[:maxToolName]
	}
	for i, c := range b {
		if !plainByte(c) {
			b[i] = '_'
		}
	}
	if len(b) == 0 {
		return "unknown"
	}
	return string(b)
}
