package term

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/galley-ls/galley/memory"
)

// PrintJSON prints a value as one line, with < > & as themselves.
func PrintJSON(s Screen, v any) error {
	text, err := memory.Marshal(v)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	s.Println(HarmlessJSON(string(text)))
	return nil
}

// HarmlessJSON is the same JSON with escapes for what JSON lets stand and a terminal takes for commands, or turns around.
func HarmlessJSON(text string) string {
	if strings.IndexFunc(text, unseen) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if unseen(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// unseen are characters that show nothing and change what is shown; the end of a line of JSON is none.
func unseen(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}
