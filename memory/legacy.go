package memory

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Before sessions were directories, a session was one file <id>.jsonl beside
// them, with a message a line. Such a file is read and never written.

const legacySuffix = ".jsonl"

// legacyPath is the file of an old session, if there is one of this ID.
func legacyPath(home, workspace, id string) (string, bool) {
	if id == "" || filepath.Base(id) != id || id+legacySuffix == decisionsFile {
		return "", false
	}
	for _, dir := range homes(home, workspace) {
		path := filepath.Join(dir, id+legacySuffix)
		if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() {
			return path, true
		}
	}
	return "", false
}

func legacyInfo(path, workspace string) (Info, bool) {
	id, isLegacy := strings.CutSuffix(filepath.Base(path), legacySuffix)
	fi, err := os.Lstat(path)
	if !isLegacy || id == "" || filepath.Base(path) == decisionsFile || err != nil || !fi.Mode().IsRegular() {
		return Info{}, false
	}
	head, err := readHead(path)
	if err != nil || head.Cwd != "" && canonical(head.Cwd) != workspace {
		return Info{}, false
	}
	return Info{
		ID: id, Title: head.Title, Created: fi.ModTime(), Updated: fi.ModTime(),
		Legacy: true, Dir: path,
	}, true
}

// legacyLine is a line of an old file, in any of the shapes there were: a
// message, a message in an envelope, or a head that describes the session.
type legacyLine struct {
	Type      string          `json:"type"`
	Time      time.Time       `json:"timestamp"`
	Cwd       string          `json:"cwd"`
	Title     string          `json:"title"`
	Message   json.RawMessage `json:"message"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Args     string `json:"arguments"`
		Function struct {
			Name string `json:"name"`
			Args string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

func readHead(path string) (legacyLine, error) {
	f, err := os.Open(path)
	if err != nil {
		return legacyLine{}, err
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	n, _ := f.Read(buf) // an empty file is an empty session
	first, _, _ := bytes.Cut(buf[:n], []byte("\n"))
	var l legacyLine
	_ = json.Unmarshal(first, &l) // a first line that is no head tells nothing
	return l, nil
}

// openLegacy reads an old file as a session that cannot be written.
func openLegacy(path, id, workspace string) (*Store, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the old session %s: %w", id, err)
	}
	s := &Store{
		id: id, dir: path, now: time.Now,
		whyNot: "it is a single file of the old kind: begin a new session to go on",
		meta:   Meta{ID: id, Workspace: canonical(workspace)},
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := s.takeLegacy(line); err != nil {
			s.warnings = append(s.warnings, fmt.Sprintf("line %d of %s cannot be read (%v), the others can", n, filepath.Base(path), err))
		}
	}
	return s, nil
}

func (s *Store) takeLegacy(line []byte) error {
	if e, err := decodeLine(line); err == nil {
		e.Seq = int64(len(s.entries) + 1)
		s.entries = append(s.entries, e)
		return nil
	}
	var l legacyLine
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	s.meta.Title = cmp.Or(s.meta.Title, l.Title)
	if l.Message != nil {
		at := l.Time
		if err := json.Unmarshal(l.Message, &l); err != nil {
			return err
		}
		l.Time = at
	}
	typ, payload := l.entry()
	if typ == "" {
		return nil
	}
	data, err := Marshal(payload)
	if err != nil {
		return err
	}
	e := Entry{Seq: int64(len(s.entries) + 1), Time: l.Time, Iteration: s.iterationLocked(), Type: typ, Payload: data}
	if typ == TypeAssistant {
		e.Iteration++
	}
	s.entries = append(s.entries, e)
	return nil
}

// entry is the journal entry that an old message would be today.
func (l *legacyLine) entry() (string, any) {
	text := raw(partsText(l.Content))
	switch l.Role {
	case RoleUser:
		return TypeUser, userPayload{Text: text}
	case RoleTool, "toolResult", "function":
		return TypeToolResult, resultPayload{CallID: raw(l.ToolCallID), Content: text}
	case RoleAssistant:
		p := assistantPayload{Content: text}
		for _, c := range l.ToolCalls {
			p.ToolCalls = append(p.ToolCalls, ToolCall{ID: c.ID, Name: cmp.Or(c.Name, c.Function.Name), Arguments: string(cmp.Or(c.Args, c.Function.Args))})
		}
		return TypeAssistant, p
	}
	return "", nil
}

// partsText is the text of a content, which is a string or a list of parts.
func partsText(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return ""
	}
	var texts []string
	for _, p := range parts {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}
