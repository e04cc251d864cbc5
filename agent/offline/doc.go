// Package offline is the model that needs no network and no key. It is not a language model and says so: it understands
// the plain instructions of grammar.md and plays them through the same tools and the same loop as any other model.
//
// It keeps no state. Each reply is worked out anew from the messages of the request: the last prompt is parsed into
// steps, the ids of its own calls say which step they belong to, and their results say how far that step is. So a run
// that died, or whose history was folded in the middle, goes on at the right place or says that it cannot.
//
// It never guesses: a prompt with one part that it does not understand stages nothing, a place that is not certain is
// asked back, and after a step that failed the following ones are named and left undone.
package offline
