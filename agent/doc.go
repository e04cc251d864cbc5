// Package agent is the loop: a prompt becomes a request, the model's reply is journaled, its tool calls are run in
// order, and so on until a reply without calls.
//
// A run owns nothing but its counters. The conversation, the staged changes and the tasks belong to the session, which
// journals every message before the next one is made; so a run may die anywhere and be resumed. It never reads or
// writes a file, never knows what a tool does, and never takes a tool call for done that the session has not journaled.
package agent
