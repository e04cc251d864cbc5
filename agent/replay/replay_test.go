package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// scripted says its replies one after the other.
type scripted struct{ replies []model.Reply }

func (s *scripted) Name() string { return "scripted" }

func (s *scripted) Stream(_ context.Context, _ memory.Request, show func(model.Delta)) (model.Reply, error) {
	if len(s.replies) == 0 {
		return model.Reply{}, errors.New("no more replies")
	}
	r := s.replies[0]
	s.replies = s.replies[1:]
	show(model.Delta{Text: r.Message.Content})
	return r, nil
}

func script() *scripted {
	return &scripted{replies: []model.Reply{
		{
			Message: memory.Message{Role: "assistant", Content: "I look <here>.\n", ToolCalls: []memory.ToolCall{
				{ID: "call_1", Name: "memo_read", Arguments: `{"path": "f"}`},
				{ID: "call_2", Name: "search_text", Arguments: `{`},
			}},
			Usage: memory.Usage{Input: 100, Cached: 50, Output: 7}, Finish: "tool_calls",
		},
		{Message: memory.Message{Role: "assistant", Content: "Ready."}, Finish: "stop"},
	}}
}

// requests are what the loop would ask around the replies; answers are those of the two calls.
func requests(prompt string, answers ...string) []memory.Request {
	block := memory.Message{Role: "user", Content: "<working_memory>…</working_memory>"}
	messages := []memory.Message{
		{Role: "system", Content: "You edit."},
		{Role: "user", Content: "<agents_md>be nice</agents_md>"},
		{Role: "user", Content: prompt},
	}
	first := memory.Request{Messages: append(messages[:3:3], block)}
	messages = append(messages, script().replies[0].Message)
	for i, a := range answers {
		messages = append(messages, memory.Message{Role: "tool", ToolCallID: fmt.Sprintf("call_%d", i+1), Content: a})
	}
	return []memory.Request{first, {Messages: append(messages, block)}}
}

// play asks m for all requests and returns its replies.
func play(m model.Model, requests []memory.Request) ([]model.Reply, error) {
	var replies []model.Reply
	for _, req := range requests {
		var text strings.Builder
		r, err := m.Stream(context.Background(), req, func(d model.Delta) { text.WriteString(d.Text) })
		if err != nil {
			return replies, err
		}
		if text.String() != r.Message.Content {
			return replies, fmt.Errorf("told %q and returned %q", text.String(), r.Message.Content)
		}
		replies = append(replies, r)
	}
	return replies, nil
}

const (
	readOK  = `{"status":"ok","text":"a token=s3cr3t"}`
	foundOK = `{"status":"ok","total":1}`
)

func recording(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := play(Record(script(), &b), requests("do it", readOK, foundOK)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRecordThenPlay(t *testing.T) {
	text := recording(t)
	for _, secret := range []string{"s3cr3t", "do it", "be nice"} {
		if strings.Contains(text, secret) {
			t.Errorf("the recording holds %q:\n%s", secret, text)
		}
	}
	m, err := Play("x.jsonl", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := play(m, requests("do it", readOK, foundOK))
	if err != nil {
		t.Fatal(err)
	}
	if want := script().replies; !reflect.DeepEqual(got, want) {
		t.Errorf("played\n%+v\nwant\n%+v", got, want)
	}
	if m.Name() != "replay" || Record(script(), io.Discard).Name() != "scripted" {
		t.Error("names")
	}
	_, err = play(m, requests("do it")[:1])
	wantError(t, err, "x.jsonl has run out: it holds 2 replies, and this is request 3")
}

// What a server tells back is not written, wherever it stands.
func TestSecretsAreNotRecorded(t *testing.T) {
	const key = "sk-proj-4711"
	m := &scripted{replies: []model.Reply{{Message: memory.Message{
		Role: "assistant", Content: "Your key is " + key + ".", Reasoning: key,
		ToolCalls: []memory.ToolCall{{ID: "c", Name: "write", Arguments: `{"content":"` + key + ` \"quoted\""}`, Extra: []byte(`{"sig":"` + key + `"}`)}},
	}}}}
	var b bytes.Buffer
	if _, err := Record(m, &b, key, "").Stream(context.Background(), memory.Request{}, func(model.Delta) {}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, key) || strings.Count(text, "[secret]") != 4 || strings.Count(text, "\n") != 2 {
		t.Errorf("recorded\n%s", text)
	}
	if _, err := Play("x", &b); err != nil {
		t.Error(err)
	}
}

func TestAPlayedRecordingIsRecordedTheSame(t *testing.T) {
	text := recording(t)
	m, err := Play("x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := play(Record(m, &b), requests("do it", readOK, foundOK)); err != nil {
		t.Fatal(err)
	}
	if again := strings.Replace(b.String(), `"replay"`, `"scripted"`, 1); again != text {
		t.Errorf("recorded again\n%s\nwant\n%s", again, text)
	}
}

func TestDivergence(t *testing.T) {
	text := recording(t)
	longer := requests("do it", readOK, foundOK)
	longer[1].Messages = append(longer[1].Messages, memory.Message{Role: "user", Content: "[galley] A applied"})
	other := requests("do it", readOK, foundOK)
	other[1].Messages[5] = memory.Message{Role: "user", Content: "stop"}
	for _, row := range []struct {
		name     string
		requests []memory.Request
		want     string
	}{
		{"another prompt", requests("do that"), "at request 1 the text of the person is another one"},
		{"another status", requests("do it", `{"status":"not_found","code":"no_match"}`, foundOK), "at request 2 the result of call 1 (memo_read) is another one: it was ok and is now not_found no_match"},
		{"another text", requests("do it", readOK, `{"status":"ok","total":2}`), "at request 2 the result of call 2 (search_text) is another one: ok as before"},
		{"not run", requests("do it", readOK, "not run"), "it was ok and is now plain text"},
		{"a result is missing", requests("do it", readOK), "a result of search_text is missing"},
		{"something more", longer, "there is a text of the person that was not recorded"},
		{"something else", other, "there is a text of the person where a result of search_text was"},
	} {
		t.Run(row.name, func(t *testing.T) {
			m, err := Play("x", strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			_, err = play(m, row.requests)
			wantError(t, err, row.want)
			wantError(t, err, "record it anew")
		})
	}
}

func TestWhatVariesIsNotCompared(t *testing.T) {
	for _, row := range []struct {
		a, b string
		same bool
	}{
		{`{"id":"01HZX3K8Q4V6T7W8Y9ABCDEFGH"}`, `{"id":"01J00000000000000000000000"}`, true},
		{"last_updated: 2026-01-02T03:04:05Z", "last_updated: 2027-11-12T13:14:15.678+01:00", true},
		{`12:9c02  │x`, `12:aaaa  │x`, true},
		{`12:9c02 A│x`, `12:9c02 A│y`, false},
		{`{"tokens_saved":12}`, `{"tokens_saved":130}`, true},
		{`{"messages_removed":4}`, `{"messages_removed":5}`, false},
	} {
		if same := digest(row.a) == digest(row.b); same != row.same {
			t.Errorf("%s and %s are the same: %v", row.a, row.b, same)
		}
	}
}

func TestBadRecordings(t *testing.T) {
	text := recording(t)
	lines := strings.SplitAfter(text, "\n")
	for _, row := range []struct{ name, text, want string }{
		{"empty", "", "not a recording of galley"},
		{"something else", "{\"seq\":1}\n", "not a recording of galley"},
		{"no JSON", "hello\n", "not a recording of galley"},
		{"torn head", lines[0][:10], "not a recording of galley"},
		{"foreign version", `{"galley_recording":2,"model":"x"}` + "\n", "format 2 and this galley plays format 1"},
		{"damaged", lines[0] + "{\"req\n" + lines[2], "damaged in line 2"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := Play("x", strings.NewReader(row.text))
			wantError(t, err, row.want)
		})
	}
	t.Run("unreadable", func(t *testing.T) {
		_, err := Play("x", failing{})
		wantError(t, err, "read the recording x: no disk")
	})
}

// A file torn at any byte plays what is whole and then says that it was cut off.
func TestTornRecording(t *testing.T) {
	text := recording(t)
	lines := strings.SplitAfter(text, "\n")
	all := requests("do it", readOK, foundOK)
	for end := len(lines[0]); end < len(text); end++ {
		m, err := Play("x", strings.NewReader(text[:end]))
		if err != nil {
			t.Fatalf("cut at %d: %v", end, err)
		}
		whole := strings.Count(text[:end+1], "\n") - 1 // a line without its end may still be whole
		replies, err := play(m, all)
		switch {
		case len(replies) != whole:
			t.Fatalf("cut at %d: %d replies, want %d", end, len(replies), whole)
		case whole == len(all):
		case text[end-1] == '\n' || text[end] == '\n':
			wantError(t, err, "has run out")
		default:
			wantError(t, err, fmt.Sprintf("was cut off in the reply to request %d", whole+1))
		}
	}
}

func TestRecordFailures(t *testing.T) {
	t.Run("the model's error is passed on and not recorded", func(t *testing.T) {
		var b bytes.Buffer
		_, err := play(Record(&scripted{}, &b), requests("x"))
		wantError(t, err, "no more replies")
		if strings.Count(b.String(), "\n") != 1 {
			t.Errorf("recorded %q", b.String())
		}
	})
	t.Run("the head is written once", func(t *testing.T) {
		var b bytes.Buffer
		m := Record(&scripted{}, &b)
		for range 2 {
			_, _ = play(m, requests("x"))
		}
		if strings.Count(b.String(), "galley_recording") != 1 {
			t.Errorf("recorded %q", b.String())
		}
	})
	t.Run("nowhere to write", func(t *testing.T) {
		_, err := play(Record(script(), failing{}), requests("x"))
		wantError(t, err, "record the reply: no disk")
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		m, err := Play("x", strings.NewReader(recording(t)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Stream(ctx, memory.Request{}, func(model.Delta) {}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// failing is a file on a disk that is not there.
type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("no disk") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("no disk") }

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
