package match

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// editCase is one of the cases that all ways to edit share.
type editCase struct {
	ID          string            `json:"id"`
	Category    string            `json:"category"`
	File        string            `json:"file"`
	FileB64     string            `json:"file_b64"`
	Old         string            `json:"old_text"`
	New         string            `json:"new_text"`
	SearchAfter string            `json:"search_after"`
	Before      string            `json:"search_before"`
	MatchID     string            `json:"match_id"`
	Pending     []json.RawMessage `json:"pending"`
	Expect      struct {
		Status     string `json:"status"`
		Hint       string `json:"hint"`
		Candidates int    `json:"candidates"`
		Total      int    `json:"total"`
		Result     string `json:"result"`
		ResultB64  string `json:"result_b64"`
	} `json:"expect"`
}

func loadCases(t *testing.T, path string) []editCase {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cs []editCase
	if err := json.Unmarshal(b, &cs); err != nil {
		t.Fatal(err)
	}
	return cs
}

func unbase64(t *testing.T, s, b64 string) string {
	t.Helper()
	if b64 == "" {
		return s
	}
	b, err := base64.StdEncoding.DecodeString(b64)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestCases runs the shared cases, and those of this package, that need no state.
func TestCases(t *testing.T) {
	for _, path := range []string{"../../testdata/edits.json", "../../testdata/edits2.json", "testdata/cases.json", "testdata/placing.json"} {
		for _, c := range loadCases(t, path) {
			if len(c.Pending) > 0 {
				continue // the session's business
			}
			t.Run(c.ID, func(t *testing.T) { checkCase(t, c) })
		}
	}
}

var statusOf = map[Kind]string{
	NoMatch: "not_found", Found: "staged", Ambiguous: "needs_match", Near: "needs_match", AnchorMissing: "not_found",
	AnchorAmbiguous: "needs_match", BehindAnchor: "not_found", AlreadyApplied: "not_found", Refused: "error",
}

func checkCase(t *testing.T, c editCase) {
	t.Helper()
	file := text.New(unbase64(t, c.File, c.FileB64))
	r := Find(file, Query{Old: c.Old, New: c.New, After: c.SearchAfter, Before: c.Before, Hints: Hints{Cursor: -1, Behind: -1}})
	status := statusOf[r.Kind]
	var picked *Match
	if c.MatchID != "" && status == "needs_match" {
		if i := int(c.MatchID[0] - 'A'); i < len(r.Matches) {
			status, picked = "staged", &r.Matches[i]
		}
	} else if status == "staged" {
		picked = &r.Matches[0]
	}
	if status != c.Expect.Status {
		t.Fatalf("%s: got %s (%s), want %s\nhint: %s\nmatches: %+v", c.Category, status, r.Kind, c.Expect.Status, r.Hint, r.Matches)
	}
	if c.Expect.Hint != "" && r.Code != c.Expect.Hint {
		t.Errorf("code %q, want %q; hint: %s", r.Code, c.Expect.Hint, r.Hint)
	}
	if n := c.Expect.Candidates; n > 0 && min(len(r.Matches), 5) != n {
		t.Errorf("%d candidates, want %d: %+v", len(r.Matches), n, r.Matches)
	}
	if n := c.Expect.Total; n > 0 && r.Total != n {
		t.Errorf("total %d, want %d", r.Total, n)
	}
	if picked != nil {
		got, err := file.Apply(picked.Edits)
		if err != nil {
			t.Fatal(err)
		}
		if want := unbase64(t, c.Expect.Result, c.Expect.ResultB64); string(got.Bytes()) != want {
			t.Errorf("%s at tier %s: got %q\nwant %q", c.Category, picked.Tier, got.Bytes(), want)
		}
	}
}
