package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// version is the format that this package writes and plays.
const version = 1

// head is the first line of a recording.
type head struct {
	Version int    `json:"galley_recording"`
	Model   string `json:"model"`
}

// step is one further line: what was new in a request, and the reply to it.
type step struct {
	Request int            `json:"request"` // from 1
	New     []shape        `json:"new"`
	Reply   memory.Message `json:"reply"`
	Usage   memory.Usage   `json:"usage"`
	Finish  string         `json:"finish,omitempty"`
}

// shape is what a recording keeps of a message that was not the model's.
type shape struct {
	Role   string `json:"role"`
	Tool   string `json:"tool,omitempty"`   // which tool answered
	Status string `json:"status,omitempty"` // the first words of its answer
	Code   string `json:"code,omitempty"`
	Digest string `json:"digest"`
}

// newIn returns the shapes of the messages behind the model's last one. What galley itself puts into a request, folded
// history and the last block with its counts, is not compared.
func newIn(messages []memory.Message) []shape {
	last, tools := -1, map[string]string{}
	for i, m := range messages {
		if m.Role != memory.RoleAssistant {
			continue
		}
		last = i
		for _, c := range m.ToolCalls {
			tools[c.ID] = c.Name
		}
	}
	shapes := []shape{}
	for _, m := range messages[last+1:] {
		own := m.Role == memory.RoleUser && strings.HasPrefix(m.Content, "<")
		if !own && m.Role != memory.RoleSystem {
			shapes = append(shapes, shapeOf(m, tools[m.ToolCallID]))
		}
	}
	return shapes
}

func shapeOf(m memory.Message, tool string) shape {
	s := shape{Role: m.Role, Digest: digest(m.Content)}
	if m.Role == memory.RoleTool {
		var answer struct{ Status, Code string }
		_ = json.Unmarshal([]byte(m.Content), &answer) // an answer that is no JSON has no status
		s.Tool, s.Status, s.Code = tool, answer.Status, answer.Code
	}
	return s
}

// varying is what differs between two runs that are the same: ids of sessions, times, the hashes of lines that hold
// them, and numbers of tokens.
var varying = memory.Pattern(`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b` +
	`|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?` +
	`|\b\d+:[0-9a-f]{4} [ A-Z]│` +
	`|"tokens_saved":\d+`)

// digest names a text without what varies. It is short, since it only has to tell the answers to one call apart.
func digest(text string) string {
	sum := sha256.Sum256([]byte(varying().ReplaceAllString(text, "…")))
	return hex.EncodeToString(sum[:6])
}
