package term

import (
	"encoding/json"
	"strings"
	"testing"
)

// JSON is printed for programs, and read on terminals: nothing in it commands one, and it says the same.
func TestHarmlessJSON(t *testing.T) {
	const odd = "plain \x1b]0;x\x07 \u009b31m \x7f \u202eturned \u2067 ü 😀\r\n\t\"\\"
	var out strings.Builder
	if err := PrintJSON(Screen{W: &out}, map[string]string{"a": odd}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.IndexFunc(got, unseen) >= 0 || !strings.Contains(got, "ü 😀") {
		t.Errorf("%q", got)
	}
	var back map[string]string
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil || back["a"] != odd {
		t.Errorf("%q, %v", back, err)
	}
}
