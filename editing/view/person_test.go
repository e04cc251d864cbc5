package view

import "testing"

// U56: what is written for the model is turned to the person before they read it.
func TestToPerson(t *testing.T) {
	for said, want := range map[string]string{
		"the file is read-only; ask the user to make it writable":                                              "the file is read-only; make it writable",
		"writing a.txt: the system gives no permission; ask the user":                                          "writing a.txt: the system gives no permission",
		"git's own files are not edited; ask the user to run the git command":                                  "git's own files are not edited; run the git command",
		"galley's own settings are not edited by its agent; ask the user to do it":                             "galley's own settings are not edited by its agent; do it yourself",
		"nothing was committed: in conflict with the user's text are A. Keep the user's text (reject) or more": "nothing was committed: in conflict with your text are A. Keep your text (reject) or more",
		"the user has made this file meanwhile":                                                                "you have made this file meanwhile",
		"the user's typing and change A meet here":                                                             "your typing and change A meet here",
		"the user did not let this command run: no":                                                            "you did not let this command run: no",
		"the user has a file: the user's text.md is not there":                                                 "the user has a file: the user's text.md is not there",
		"there is no change A": "there is no change A",
	} {
		if got := ToPerson(said); got != want {
			t.Errorf("%q is said as %q, want %q", said, got, want)
		}
	}
}
