package memory

import (
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMask(t *testing.T) {
	const key = "sk-0123456789"
	odd := `a"b\c<d>12345`
	s := NewSecrets([]string{key, odd, "short", "  \n", "-----BEGIN-----\n  body-of-the-key  \nx\n", "sk-0123456789-and-more"})
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "a text", "a text"},
		{"as it is", "key=sk-0123456789;", "key=[secret];"},
		{"twice", "sk-0123456789sk-0123456789", "[secret][secret]"},
		{"the longer one", "sk-0123456789-and-more", "[secret]"},
		{"a part", "sk-012345678", "sk-012345678"},
		{"short ones are left", "short", "short"},
		{"each line of one with several", "-----BEGIN-----\nbody-of-the-key\nx", "[secret]\n[secret]\nx"},
		{"with what JSON escapes", odd, "[secret]"},
		{"in JSON", `{"k":"a\"b\\c<d>12345","n":1}`, `{"k":"[secret]","n":1}`},
		{"in JSON, as HTML wants it", `{"k":"a\"b\\c\u003cd\u003e12345"}`, `{"k":"[secret]"}`},
		{"in torn JSON", `{"k":"a\"b\\c<d>12345`, `{"k":"[secret]`},
		{"spelled with escapes", `{"k":"\u0073k-0123456789 \u00e9"}`, `{"k":"[secret] é"}`},
		{"in JSON in JSON", `{"a":"{\"k\":\"\\u0073k-0123456789\"}"}`, `{"a":"{\"k\":\"[secret]\"}"}`},
		{"as a key", `{"sk-0123456789":1}`, `{"[secret]":1}`},
		{"bytes", `{"base64":"` + base64.StdEncoding.EncodeToString([]byte("\xff"+key)) + `"}`, `{"base64":"` + base64.StdEncoding.EncodeToString([]byte("\xff[secret]")) + `"}`},
		{"no bytes, though called so", `{"base64":"sk-0123456789"}`, `{"base64":"[secret]"}`},
		{"other JSON is left byte for byte", "{ \"a\" : \"\\u00e9\\/\",\n\"b\":1.0}", "{ \"a\" : \"\\u00e9\\/\",\n\"b\":1.0}"},
	} {
		if got := s.Mask(c.in); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.name, c.in, got, c.want)
		}
		if s.In(c.in) != (c.in != c.want) {
			t.Errorf("%s: In is %v", c.name, s.In(c.in))
		}
	}
	if got := s.Blot("a sk-0123456789 b"); got != "a [secret]***** b" {
		t.Errorf("blotted: %q", got)
	}
	if none := NewSecrets([]string{"", "short"}); !none.None() || none.Mask("short") != "short" || none.Longest() != 0 {
		t.Errorf("%+v", none)
	}
	if s.Longest() < len("sk-0123456789-and-more") {
		t.Errorf("the longest has %d bytes", s.Longest())
	}
}

// secretGen makes secrets of all kinds, also such as get in the way of the mark.
func secretGen() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`sk-[A-Za-z0-9_-]{8,40}`),
		rapid.StringMatching(`[ -~]{8,20}`),
		rapid.StringMatching(`[\[\]secrt]{8,12}`),
		rapid.StringMatching(`[äö🙂"\\/<]{8,10}`),
	)
}

// Wherever a secret stands in a text, it is gone from it; a text without one is left alone.
func TestMaskAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfN(secretGen(), 1, 3).Draw(rt, "secrets")
		s := NewSecrets(words)
		pieces := rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(words), rapid.StringN(0, 10, -1))).Draw(rt, "pieces")
		text := strings.Join(pieces, "")
		got := s.Mask(text)
		blot := s.Blot(text)
		if len(blot) != len(text) {
			rt.Fatalf("%q is blotted to %q", text, blot)
		}
		for _, w := range s.words {
			if strings.Contains(got, w) && w != SecretMark && !isJSON(text) {
				rt.Fatalf("%q is left in %q, of %q", w, got, text)
			}
			if strings.Contains(blot, w) {
				rt.Fatalf("%q is left in %q, of %q", w, blot, text)
			}
		}
		payload, err := Marshal(map[string]any{"text": raw(text), "more": []string{text}})
		if err != nil {
			rt.Fatal(err)
		}
		var back struct {
			Text raw
			More []string
		}
		if err := json.Unmarshal(s.payload(payload), &back); err != nil {
			rt.Fatalf("%s is no JSON any more: %v", s.payload(payload), err)
		}
		for _, w := range s.words {
			if strings.Contains(string(back.Text), w) && !isJSON(text) {
				rt.Fatalf("%q is left in the payload %s", w, s.payload(payload))
			}
		}
		if !s.stands(text) && !strings.Contains(text, `\`) && string(back.Text) != text {
			rt.Fatalf("%q became %q", text, back.Text)
		}
	})
}

// Nothing that a store writes holds a secret, and no request does, also not of what was written before it was known.
func TestStoreHidesSecrets(t *testing.T) {
	const key = `sk-"0123456789\x`
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U:old A{c0} Tc0:old")
	ok(t, s.AddUser("the old journal has "+key))
	s.Hide(NewSecrets([]string{key}))

	in, _ := json.Marshal(map[string]string{"path": "x", "new_text": key})
	ok(t, s.SetTitle("about "+key))
	ok(t, s.AddUser("use "+key))
	ok(t, s.AddNotice("not "+key))
	ok(t, s.AddAssistant(Message{
		Content: key, Reasoning: "hm, " + key,
		ToolCalls: []ToolCall{{ID: "c1", Name: "write", Arguments: string(in), Extra: json.RawMessage(`{"s":` + string(in) + `}`)}},
	}, Usage{}))
	ok(t, s.AddResult("c1", "\xff"+key))
	_, err := s.WriteMemory("detail/n.md", "note: "+key+"\n", "")
	ok(t, err)
	ok(t, s.Event(Event{Type: EventFact, Text: "the key is " + key}))
	_, err = s.Append(TypeTask, map[string]string{"goal": key})
	ok(t, err)
	req, _ := s.Request(RequestInput{System: "sys " + key, Agents: "<agents_md>" + key + "</agents_md>", Tasks: key, Pending: key, Tools: []ToolSpec{{Name: "x", Description: key}}})
	whole, err := json.Marshal(req)
	ok(t, err)
	if strings.Contains(string(whole), "0123456789") || !strings.Contains(string(whole), "[secret]") {
		t.Errorf("the request holds it: %s", whole)
	}
	ok(t, s.Close())
	seen := 0
	ok(t, filepath.WalkDir(s.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		seen += strings.Count(string(data), "0123456789")
		return err
	}))
	if seen != 1 { // what was written before
		t.Errorf("the files hold it %d times", seen)
	}
	again, err := OpenReadOnly(p.home, p.workspace, s.ID())
	ok(t, err)
	if len(again.Warnings()) != 0 || len(again.Messages()) < 5 {
		t.Errorf("%q, %d messages", again.Warnings(), len(again.Messages()))
	}
}
