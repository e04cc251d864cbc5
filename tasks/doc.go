// Package tasks is what is being worked on: a short stack of active tasks, the
// plans below them, and the tree of what was done.
//
// A Stack owns its state; it changes through Begin, Update, Pop, Mark and
// Restore and nowhere else. Whoever calls them journals the tasks they return:
// each is the whole task after the change, so that Restore can rebuild the
// stack from them. Readers get copies.
//
// The package does no I/O, keeps no letters (Render is given them), and never
// decides by itself that a task is over.
package tasks
