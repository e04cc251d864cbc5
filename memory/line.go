package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"
)

// Entry is one line of the journal. Its payload must not be changed.
type Entry struct {
	Seq       int64           `json:"seq"`
	Time      time.Time       `json:"time"`
	Iteration int             `json:"iteration"` // of the model's replies, 0 before the first
	Type      string          `json:"type"`
	Tokens    int             `json:"tokens,omitempty"` // of a message; 0: not counted when it was written
	Payload   json.RawMessage `json:"payload"`
}

// Types of journal entries. A tool call stands in the assistant's entry.
const (
	TypeUser       = "user"
	TypeAssistant  = "assistant"
	TypeToolCall   = "tool_call"
	TypeToolResult = "tool_result"
	TypeTask       = "task"
	TypeEdit       = "edit"
	TypeDecision   = "decision"
	TypeCompact    = "compact"
	TypeView       = "view"
	TypeMeta       = "meta"
	TypeMemory     = "memory"
	TypeError      = "error"
)

// maxTypeName is more than any type's name has.
const maxTypeName = 40

// errAltered is a line that is whole JSON but not what was once written.
var errAltered = errors.New("its checksum does not match")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encodeLine writes an entry as one line, without its newline. The checksum
// makes opening a large journal cheap (no JSON is parsed for lines that match)
// and tells a damaged disk from a torn write.
func encodeLine(e Entry) ([]byte, error) {
	if !plain(e.Type, maxTypeName) {
		return nil, fmt.Errorf("%q is no type of journal entries", e.Type)
	}
	line := make([]byte, 0, len(e.Payload)+128)
	line = append(line, `{"seq":`...)
	line = strconv.AppendInt(line, e.Seq, 10)
	line = append(line, `,"time":"`...)
	line = e.Time.UTC().AppendFormat(line, time.RFC3339Nano)
	line = append(line, `","iteration":`...)
	line = strconv.AppendInt(line, int64(e.Iteration), 10)
	line = append(line, `,"type":"`...)
	line = append(line, e.Type...)
	line = append(line, `","tokens":`...)
	line = strconv.AppendInt(line, int64(e.Tokens), 10)
	line = fmt.Appendf(line, `,"sum":"%08x","payload":`, checksum(line, e.Payload))
	line = append(line, e.Payload...)
	return append(line, '}'), nil
}

func checksum(head, payload []byte) uint32 {
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, payload)
}

// decodeLine reads one line. With errAltered the entry is readable all the
// same.
func decodeLine(line []byte) (Entry, error) {
	if e, ok := decodeOwn(line); ok {
		return e, nil
	}
	var l struct {
		Entry
		Sum string `json:"sum"`
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return Entry{}, err
	}
	if l.Seq <= 0 || l.Type == "" {
		return Entry{}, errors.New("it has no seq or no type")
	}
	if l.Payload == nil {
		l.Payload = json.RawMessage("null")
	}
	if l.Sum != "" {
		return l.Entry, errAltered
	}
	return l.Entry, nil
}

// decodeOwn reads a line as encodeLine writes it; anything else is not ok and
// left to the JSON parser.
func decodeOwn(line []byte) (Entry, bool) {
	var e Entry
	p := lineParser{rest: line, ok: true}
	p.skip(`{"seq":`)
	e.Seq = p.number()
	p.skip(`,"time":"`)
	e.Time = p.time()
	p.skip(`,"iteration":`)
	e.Iteration = int(p.number())
	p.skip(`,"type":"`)
	e.Type = p.word()
	p.skip(`,"tokens":`)
	e.Tokens = int(p.number())
	head := line[:len(line)-len(p.rest)]
	p.skip(`,"sum":"`)
	sum, err := strconv.ParseUint(p.word(), 16, 32)
	p.skip(`,"payload":`)
	if !p.ok || err != nil || e.Seq <= 0 || e.Type == "" || !bytes.HasSuffix(p.rest, []byte("}")) {
		return Entry{}, false
	}
	e.Payload = json.RawMessage(p.rest[: len(p.rest)-1 : len(p.rest)-1])
	return e, checksum(head, e.Payload) == uint32(sum)
}

// lineParser walks over the fixed head of a line; ok turns false at the first
// surprise and stays so.
type lineParser struct {
	rest []byte
	ok   bool
}

func (p *lineParser) skip(want string) {
	if !p.ok || len(p.rest) < len(want) || string(p.rest[:len(want)]) != want {
		p.ok = false
		return
	}
	p.rest = p.rest[len(want):]
}

func (p *lineParser) number() int64 {
	i, n := 0, int64(0)
	for i < len(p.rest) && i < 18 && p.rest[i] >= '0' && p.rest[i] <= '9' {
		n = n*10 + int64(p.rest[i]-'0')
		i++
	}
	p.ok = p.ok && i > 0
	p.rest = p.rest[i:]
	return n
}

// word reads up to the closing quote and over it.
func (p *lineParser) word() string {
	i := bytes.IndexByte(p.rest, '"')
	if !p.ok || i < 0 || bytes.IndexByte(p.rest[:i], '\\') >= 0 {
		p.ok = false
		return ""
	}
	w := p.rest[:i]
	p.rest = p.rest[i+1:]
	return interned(w)
}

func (p *lineParser) time() time.Time {
	t, err := time.Parse(time.RFC3339Nano, p.word())
	p.ok = p.ok && err == nil
	return t
}

// interned spares an allocation for each of the words that every line repeats.
func interned(w []byte) string {
	switch string(w) {
	case TypeUser:
		return TypeUser
	case TypeAssistant:
		return TypeAssistant
	case TypeToolResult:
		return TypeToolResult
	}
	return string(w)
}

// Marshal is JSON on one line, without the escapes that only HTML needs.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
