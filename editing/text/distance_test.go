package text

import "testing"

func TestDistance(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "ab", 2},
		{"ask", "ask", 0},
		{"ask", "aks", 1},
		{"wiat", "wait", 1},
		{"aut", "auto", 1},
		{"autoo", "auto", 1},
		{"abcd", "badc", 2},
		{"kitten", "sitting", 3},
		{"abc", "xyz", 3},
	} {
		if got := Distance(row.a, row.b); got != row.want {
			t.Errorf("%q to %q: %d, want %d", row.a, row.b, got, row.want)
		}
		if got := Distance(row.b, row.a); got != row.want {
			t.Errorf("%q to %q: %d, want %d", row.b, row.a, got, row.want)
		}
	}
}
