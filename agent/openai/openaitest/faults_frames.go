package openaitest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"strings"
)

// frameFaults frame the stream otherwise than most servers do. An answer in one piece has no frames and stays plain.
func frameFaults() []Fault {
	return []Fault{
		{
			Name: "comments_300", Kind: Right, Doc: `300 lines ": OPENROUTER PROCESSING" come before the first chunk`,
			wire: inStream(func(out *answer) { out.first(strings.Repeat(": OPENROUTER PROCESSING\n\n", 300)) }),
		},
		{
			Name: "comments_between", Kind: Right, Doc: "comments come between all chunks",
			wire: inStream(func(out *answer) { out.each(func(piece string) string { return ": keep-alive\n\n:\n" + piece }) }),
		},
		{
			Name: "empty_lines_300", Kind: Right, Doc: "300 empty lines come before the first chunk",
			wire: inStream(func(out *answer) { out.first(strings.Repeat("\n", 300)) }),
		},
		{
			Name: "empty_data", Kind: Right, Doc: "frames with no data come between the others",
			wire: inStream(func(out *answer) { out.each(func(piece string) string { return "data:\n\ndata: \n\n" + piece }) }),
		},
		{
			Name: "no_final_newline", Kind: Right, Doc: "the last line has no newline, and bears the last piece of the reply",
			shape: func(d *draft) {
				d.finishWithContent()
				d.usageAt(func(object) {}, true)
				d.done = false
			},
			wire: inStream(func(out *answer) {
				last := len(out.pieces) - 1
				out.pieces[last] = bytes.TrimRight(out.pieces[last], "\n")
			}),
		},
		{
			Name: "done_no_newline", Kind: Right, Doc: "[DONE] has no newline behind it",
			wire: inStream(func(out *answer) {
				last := len(out.pieces) - 1
				out.pieces[last] = bytes.TrimRight(out.pieces[last], "\n")
			}),
		},
		{
			Name: "multiline_data", Kind: Right, Doc: "a chunk is broken over several data lines, as the standard allows",
			wire: inStream(func(out *answer) {
				out.each(func(piece string) string {
					var b bytes.Buffer
					data := strings.TrimPrefix(strings.TrimSpace(piece), "data: ")
					if json.Indent(&b, []byte(data), "data: ", " ") != nil {
						return piece // [DONE]
					}
					return "data: " + b.String() + "\n\n"
				})
			}),
		},
		{
			Name: "crlf", Kind: Right, Doc: "lines end with CR LF",
			wire: inStream(func(out *answer) {
				out.each(func(piece string) string { return strings.ReplaceAll(piece, "\n", "\r\n") })
			}),
		},
		{
			Name: "one_newline", Kind: Right, Doc: "no empty line stands between the frames",
			wire: inStream(func(out *answer) {
				out.each(func(piece string) string { return strings.TrimSuffix(piece, "\n") })
			}),
		},
		{
			Name: "no_space", Kind: Right, Doc: "no space stands behind data:",
			wire: inStream(func(out *answer) {
				out.each(func(piece string) string { return strings.Replace(piece, "data: ", "data:", 1) })
			}),
		},
		{
			Name: "bom", Kind: Right, Doc: "the stream starts with a byte order mark",
			wire: inStream(func(out *answer) { out.first("\ufeff") }),
		},
		{
			Name: "event_names", Kind: Right, Doc: "frames bear event, id and retry lines",
			wire: inStream(func(out *answer) {
				out.each(func(piece string) string { return "event: message\nid: 1\nretry: 3000\n" + piece })
			}),
		},
		{
			Name: "event_ping", Kind: Right, Doc: "ping events with JSON of their own come between the chunks (proxies of Anthropic)",
			wire: inStream(func(out *answer) {
				out.each(func(piece string) string { return "event: ping\ndata: {\"type\": \"ping\"}\n\n" + piece })
			}),
		},
		{
			Name: "no_done", Kind: Right, Doc: "the stream ends behind the finish_reason without [DONE]",
			shape: func(d *draft) { d.done = false },
		},
		{
			Name: "done_twice", Kind: Right, Doc: "[DONE] comes twice",
			wire: inStream(func(out *answer) { out.pieces = append(out.pieces, frame([]byte("[DONE]"))) }),
		},
		{
			Name: "done_spaces", Kind: Right, Doc: "[DONE] has spaces around it",
			wire: inStream(func(out *answer) { out.pieces[len(out.pieces)-1] = []byte("data:  [DONE]  \n\n") }),
		},
		{
			Name: "after_done", Kind: Right, Doc: "a comment and a chunk without choices come behind [DONE]",
			wire: inStream(func(out *answer) {
				out.pieces = append(out.pieces, []byte(": bye\n\n"), frame([]byte(`{"choices":[]}`)))
			}),
		},
		{
			Name: "done_open", Kind: Right, Doc: "the connection stays open behind [DONE] until the client goes away",
			wire: inStream(func(out *answer) { out.holds = append(out.holds, len(out.pieces)) }),
		},
		{
			Name: "one_write", Kind: Right, Doc: "the whole stream comes in one piece",
			wire: inStream(func(out *answer) { out.recut(1 << 30) }),
		},
		{
			Name: "odd_writes", Kind: Right, Doc: "the stream comes in pieces of seven bytes, cut inside of lines and characters",
			wire: func(out *answer) { out.recut(7) },
		},
		{
			Name: "slow_bytes", Kind: Right, Doc: "the answer comes byte by byte",
			wire: func(out *answer) { out.recut(1) },
		},
		{
			Name: "gzip", Kind: Right, Doc: "the answer is compressed, when the client's library asked for that itself",
			wire: func(out *answer) { out.gzip = true },
		},
		{
			Name: "wrong_content_type", Kind: Right, Doc: "the stream says that it is text/plain",
			wire: inStream(func(out *answer) { out.header.Set("Content-Type", "text/plain; charset=utf-8") }),
		},
		{
			Name: "no_content_type", Kind: Right, Doc: "the stream does not say what it is",
			wire: inStream(func(out *answer) { out.header["Content-Type"] = nil }),
		},
		{
			Name: "not_stream", Kind: Right, Doc: "the answer comes as JSON in one piece, though a stream was asked for",
			say: func(d *draft) {
				ask := *d.ask
				ask.stream = false
				d.ask = &ask
			},
		},
	}
}

func inStream(change func(*answer)) func(*answer) {
	return func(out *answer) {
		if out.stream && len(out.pieces) > 0 {
			change(out)
		}
	}
}

// first puts a piece before all others.
func (out *answer) first(piece string) {
	out.pieces = append([][]byte{[]byte(piece)}, out.pieces...)
}

// recut cuts the bytes into pieces of a size.
func (out *answer) recut(size int) {
	all := []byte(out.text())
	out.pieces = nil
	for len(all) > 0 {
		n := min(size, len(all))
		out.pieces = append(out.pieces, all[:n])
		all = all[n:]
	}
}

// compress makes each piece a piece of one gzip stream.
func (out *answer) compress() {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i, piece := range out.pieces {
		_, _ = z.Write(piece) // a buffer takes everything
		_ = z.Flush()
		if i == len(out.pieces)-1 {
			_ = z.Close()
		}
		out.pieces[i] = bytes.Clone(b.Bytes())
		b.Reset()
	}
	out.header.Set("Content-Encoding", "gzip")
}
