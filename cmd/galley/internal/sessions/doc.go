// Package sessions is agent sessions at a terminal: listed, looked at, exported, taken
// back, taken over, renamed and removed, and what the next request of one would hold. What
// only looks reads files: it locks nothing, writes nothing and asks no model.
package sessions
