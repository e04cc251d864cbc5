// Package model is the one small door to whatever writes the agent's replies: a server, the built-in offline model, a
// recording. It holds the interface and its types and no state; a model keeps nothing between two requests that the
// conversation does not say.
//
// It never runs a tool, never journals and never retries a reply whose first words were already shown.
package model
