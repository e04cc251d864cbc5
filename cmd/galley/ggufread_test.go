package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/agent/openai/openaitest"
)

// modelFile is a model file as its reader finds it.
type modelFile struct {
	meta    map[string]any
	tensors map[string][]float32
}

// readModel reads what modelPlaying writes, by the format's own description.
func readModel(t rapid.TB, file []byte) modelFile {
	r := bytes.NewReader(file)
	get := func(into any) {
		if err := binary.Read(r, binary.LittleEndian, into); err != nil {
			t.Fatalf("%v", err)
		}
	}
	u32 := func() (n uint32) { get(&n); return n }
	u64 := func() (n uint64) { get(&n); return n }
	text := func() string { b := make([]byte, u64()); get(b); return string(b) }
	var value func(kind uint32) any
	value = func(kind uint32) any {
		switch kind {
		case 4, 5:
			return u32()
		case 6:
			var f float32
			get(&f)
			return f
		case 7:
			var b bool
			get(&b)
			return b
		case 8:
			return text()
		}
		of, all := u32(), make([]any, u64())
		for i := range all {
			all[i] = value(of)
		}
		return all
	}
	m := modelFile{map[string]any{}, map[string][]float32{}}
	if magic, version := u32(), u32(); magic != 0x46554747 || version != 3 {
		t.Fatalf("it begins with %x, version %d", magic, version)
	}
	tensors, pairs := u64(), u64()
	for range pairs {
		name := text()
		m.meta[name] = value(u32())
	}
	type place struct {
		name     string
		size, at uint64
	}
	var places []place
	for range tensors {
		p := place{text(), 1, 0}
		for range u32() {
			p.size *= u64()
		}
		if kind := u32(); kind != 0 {
			t.Fatalf("%s is of the kind %d", p.name, kind)
		}
		p.at = u64()
		places = append(places, p)
	}
	begin := (int(r.Size()) - r.Len() + 31) / 32 * 32
	for _, p := range places {
		if p.at%32 != 0 {
			t.Fatalf("%s begins at %d", p.name, p.at)
		}
		m.tensors[p.name] = make([]float32, p.size)
		r.Reset(file[begin+int(p.at):])
		get(m.tensors[p.name])
	}
	return m
}

// says is what the model says behind a token, at most so many tokens of it, as a server finds it with these weights.
func (m modelFile) says(behind string, most int) (said string) {
	tokens := m.meta["tokenizer.ggml.tokens"].([]any)
	in, out := m.tensors["token_embd.weight"], m.tensors["output.weight"]
	size := len(in) / len(tokens)
	at := 0
	for i, t := range tokens {
		if t == behind {
			at = i
		}
	}
	for range most {
		best, next := float32(-1e9), 0
		for i := range tokens {
			var logit float32
			for d := range size {
				logit += in[at*size+d] * out[i*size+d]
			}
			if logit > best {
				best, next = logit, i
			}
		}
		if next == endToken {
			return said
		}
		at = next
		said += tokens[at].(string)
	}
	return said + "…"
}

func TestModelFile(t *testing.T) {
	s, err := openaitest.Parse("script", []byte(`{"when": ["a \"b\"", "<c>"], "text": "Both."}
{"text": "Look: ", "calls": [{"name": "read", "arguments": {"path": "a.txt"}}, {"name": "read", "arguments": "not {"}]}
{"when": "for ever", "hold_at": "middle", "text": "one, two, three, four, five, "}
{"text": "Both."}
{"text": "Grüße, 世界: the long reply of a model 👍🏽"}`))
	if err != nil {
		t.Fatal(err)
	}
	file, err := modelPlaying(s, "The model of many words, and models of none.")
	if err != nil {
		t.Fatal(err)
	}
	m := readModel(t, file)
	for i, want := range []string{
		"Both.",
		"Look: \n<tool_call>{\"name\": \"read\", \"arguments\": {\"path\": \"a.txt\"}}</tool_call>\n<tool_call>{\"name\": \"read\", \"arguments\": not {}</tool_call>",
		"one, two, three, four, five, one, two, three, four, five, one, …",
		"Both.",
		"Grüße, 世界: the long reply of a model 👍🏽",
	} {
		most := 100
		if i == 2 {
			most = 2*3 + 1 // its text is three tokens
		}
		if got := m.says(fmt.Sprintf("<|reply%d|>", i), most); got != want {
			t.Errorf("reply %d is %q, want %q", i, got, want)
		}
	}
	if got := m.says(" words", 100); got != "" {
		t.Errorf("a word of a request is gone on with: %q", got)
	}
	template := m.meta["tokenizer.chat_template"].(string)
	for _, want := range []string{
		`{% elif "a \"b\"" in ns.heard and "<c>" in ns.heard %}<|reply0|>{% elif "for ever" in ns.heard %}<|reply2|>`,
		`<|reply2|>{% elif ns.said == 0 %}<|reply1|>{% elif ns.said == 1 %}<|reply3|>{% elif ns.said == 2 %}<|reply4|>{% endif %}`,
	} {
		if !strings.Contains(template, want) {
			t.Errorf("the template has no %s:\n%s", want, template)
		}
	}
}

// Whatever replies say, the model says it, or the script is refused.
func TestModelFileSaysAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.OneOf(rapid.StringN(1, 60, -1), rapid.StringMatching(`(ab?|the end|, ){1,20}`)), 1, 6).Draw(t, "texts")
		var s openaitest.Script
		for _, text := range texts {
			s.Replies = append(s.Replies, openaitest.Reply{Text: text})
		}
		file, err := modelPlaying(s, "the end of a")
		if err != nil {
			if !strings.Contains(err.Error(), "change a word") {
				t.Fatal(err)
			}
			return
		}
		m := readModel(t, file)
		for i, want := range texts {
			if got := m.says(fmt.Sprintf("<|reply%d|>", i), 2000); got != want {
				t.Fatalf("reply %d is %q, want %q", i, got, want)
			}
		}
	})
}

func TestModelFileRefuses(t *testing.T) {
	for script, want := range map[string]string{
		`{"status": 500}`: "reply 1: a model says text and calls only",
		`{"text": "a"}` + "\n" + `{"hold": true, "text": "b"}`:        "reply 2: a model says text and calls only",
		`{"text": "a", "finish": "length"}`:                           "a model says text and calls only",
		`{"text": "a", "fault": "index_zero"}`:                        "a model says text and calls only",
		`{"text": "a", "hold_at": "start"}`:                           "a model says text and calls only",
		`{"reasoning": "hm", "text": "a"}`:                            "a model says text and calls only",
		`{"when": "x"}`:                                               "a model that says nothing",
		`{"hold_at": "middle", "text": "a"}` + "\n" + `{"text": "a"}`: "reply 2: the beginning \"a\" of \"a\" is a part of other replies: change a word",
	} {
		s, err := openaitest.Parse("script", []byte(script))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := modelPlaying(s, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", script, err, want)
		}
	}
}
