// Package desk is the table of one process for as long as it serves an editor:
// the agent sessions that are open, which share one editing.Workspace, and the
// agent's runs on them.
//
// It owns which sessions are open, which one is current, the state of each run,
// and the commands that wait for the user's word. A decision about a letter goes
// to the session that the letter belongs to.
//
// What it never does: speak LSP, keep a text or a letter itself, or decide for
// the user. Readers get copies; whoever wants to know waits for a newer number.
package desk
