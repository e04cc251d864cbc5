package openai

import (
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// replies makes random replies as chunks of a stream.
func replies(t *rapid.T) []string {
	text := rapid.SampledFrom([]string{"Hello ", "<think>", "</think>\n", "é€😀", "\n", "{", "`", "<tool_call>", "data: x", "[DONE]", "\"quoted\" \\ \u2028", " "})
	var chunks []string
	for _, kind := range rapid.SliceOfN(rapid.IntRange(0, 4), 1, 12).Draw(t, "kinds") {
		switch kind {
		case 0, 1:
			chunks = append(chunks, says(text.Draw(t, "text")))
		case 2:
			chunks = append(chunks, delta(`{"reasoning":`+string(encode(text.Draw(t, "thought")))+`}`))
		case 3:
			id := rapid.IntRange(0, 2).Draw(t, "id")
			args := `{"file":` + string(encode(text.Draw(t, "argument"))) + `}`
			cut := rapid.IntRange(0, len(args)).Draw(t, "cut")
			for cut > 0 && cut < len(args) && args[cut]&0xC0 == 0x80 {
				cut--
			}
			chunks = append(chunks, delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"call_%d","function":{"name":"read","arguments":%s}}]}`, id, id, encode(args[:cut]))))
			chunks = append(chunks, delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, id, encode(args[cut:]))))
		case 4:
			chunks = append(chunks, `{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3}}`)
		}
	}
	return append(chunks, end("stop"))
}

// However the bytes of an answer are cut, the same reply comes of it, and the same is told.
func TestTheSameReplyInAnyPieces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		body := events(replies(rt)...)
		if rapid.Bool().Draw(rt, "crlf") {
			body = strings.ReplaceAll(body, "\n", "\r\n")
		}
		run := func(piece int) string {
			m, _ := testModel(t, Config{Tries: 1}, answer{body: body, piece: piece})
			reply, heard, err := stream(t, m, ask())
			return fmt.Sprintf("%s%+v %v", pretty(reply), *heard, err)
		}
		want := run(0)
		for _, piece := range []int{1, rapid.IntRange(2, 60).Draw(rt, "piece")} {
			if got := run(piece); got != want {
				rt.Fatalf("in pieces of %d: got %s, want %s", piece, got, want)
			}
		}
	})
}

// An answer that breaks off anywhere is an error, or it was whole: there is no half reply.
func TestNoHalfReplies(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		body := events(replies(rt)...)
		tail := rapid.SampledFrom([]error{nil, syscall.ECONNRESET, io.ErrUnexpectedEOF}).Draw(rt, "tail")
		run := func(a answer) (string, error) {
			m, _ := testModel(t, Config{Tries: 1}, a)
			reply, _, err := stream(t, m, ask())
			return pretty(reply.Message), err
		}
		whole, wholeErr := run(answer{body: body})
		part, err := run(answer{body: body[:rapid.IntRange(0, len(body)).Draw(rt, "at")], tail: tail})
		switch {
		case err == nil && (part != whole || wholeErr != nil):
			rt.Fatalf("got %s, want %s or an error", part, whole)
		case err != nil && wholeErr == nil && kindOf(err) != KindCut:
			rt.Fatalf("got %v", err)
		}
	})
}
