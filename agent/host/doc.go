// Package host is the person's face of one workspace for as long as a process
// serves it: the agent sessions that are open, which share one table, their runs,
// and the decisions about their letters.
//
// It owns which sessions are open, which one is current, the state of each run,
// and the commands that wait for the user's word. A decision about a letter goes
// to the session that the letter belongs to.
//
// What it never does: speak LSP, know the loop or a model, keep a text or a letter
// itself, or decide for the user. Doors use its types as they are. Readers get
// copies; whoever wants to know waits for a newer number.
package host
