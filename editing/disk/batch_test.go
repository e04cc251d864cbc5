//go:build unix

package disk

import (
	"testing"
)

// at lets something happen the first time a batch comes to a point.
func at(t *testing.T, point string, do func() error) {
	t.Helper()
	came := false
	t.Cleanup(func() {
		Point = func(string) error { return nil }
		if !came {
			t.Errorf("no batch came to %q", point)
		}
	})
	Point = func(name string) error {
		if came || name != point {
			return nil
		}
		came = true
		return do()
	}
}

func prepared(t *testing.T, r *Roots, steps ...Step) *Batch {
	t.Helper()
	b, err := r.Prepare("ID", steps)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
