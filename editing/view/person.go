package view

import "strings"

// toPerson are the phrases about the person in what is said to the model. They are whole ones: a name of a file, or what
// somebody wrote, is not touched.
var toPerson = strings.NewReplacer(
	"; ask the user to do it", "; do it yourself",
	"; ask the user to ", "; ",
	"; ask the user", "",
	", or ask the user to ", ", or ",
	"or wait until the user has decided it", "or decide it first",
	"or wait for the user's review", "or decide some",
	"in conflict with the user's text", "in conflict with your text",
	"Keep the user's text", "Keep your text",
	"; the user's text and the agent's meet there", "; your text and the agent's meet there",
	"the user's typing and change", "your typing and change",
	"the user has made this file", "you have made this file",
	"the user has changed the", "you have changed the",
	"until the user takes change", "until you take change",
	"the user did not let this command run", "you did not let this command run",
)

// ToPerson is what was said to the model, said to the person whom it is about.
func ToPerson(hint string) string { return toPerson.Replace(hint) }
