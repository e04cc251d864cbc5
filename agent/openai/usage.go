package openai

import (
	"encoding/json"
	"strconv"

	"github.com/galley-ls/galley/memory"
)

// count adds what a chunk says about tokens. Servers say it at the end, with every chunk, or never; what is said last
// counts, and a zero says nothing.
func count(u *memory.Usage, raw json.RawMessage) {
	o := objectOf(raw)
	input, output := number(o, "prompt_tokens"), number(o, "completion_tokens", "output_tokens")
	cached := number(o, "prompt_cache_hit_tokens", "cached_tokens") // DeepSeek; Moonshot
	for _, name := range []string{"prompt_tokens_details", "input_tokens_details"} {
		if cached == 0 {
			cached = number(objectOf(o[name]), "cached_tokens")
		}
	}
	read := number(o, "cache_read_input_tokens") // Anthropic's count, which its input_tokens do not include
	if cached == 0 {
		cached = read
	}
	if input == 0 {
		input = number(o, "input_tokens")
		if o["input_tokens_details"] == nil {
			input += read + number(o, "cache_creation_input_tokens")
		}
	}
	set(&u.Input, max(input, cached))
	set(&u.Cached, cached)
	set(&u.Output, output)
}

func set(field *int, n int) {
	if n > 0 {
		*field = n
	}
}

const tokensMost = 1 << 40 // what is more is no count

// number is the first of some fields that holds a count of tokens, be it written as a text or with a point.
func number(o object, names ...string) int {
	for _, name := range names {
		n, err := strconv.ParseFloat(scalar(o[name]), 64)
		if err == nil && n > 0 && n < tokensMost {
			return int(n)
		}
	}
	return 0
}
