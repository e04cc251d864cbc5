package agent

import (
	"encoding/json"
)

// result is the little that the loop reads of a tool's answer.
type result struct {
	Status  string `json:"status"`
	Code    string `json:"code"`
	Pending []struct {
		Letter  string `json:"change_id"`
		Preview string `json:"preview"`
	} `json:"pending_changes"`
}

// readResult decodes an answer; one that is no JSON object is the zero result.
func readResult(content string) result {
	var r result
	if json.Unmarshal([]byte(content), &r) != nil {
		return result{}
	}
	return r
}

// failed reports whether the call did not do what it was made for. An answer without a status is not judged; one that
// has a code beside a good status is no plain success: a command that ran, and said that it failed.
func (r result) failed() bool {
	switch r.Status {
	case "":
		return false
	case "ok", "editing", "committed", "proposed", "reverted":
		return r.Code != ""
	}
	return true
}

// touched lists the letters that the call staged or amended: only those come with a preview.
func (r result) touched() []string {
	var letters []string
	for _, p := range r.Pending {
		if p.Preview != "" {
			letters = append(letters, p.Letter)
		}
	}
	return letters
}
