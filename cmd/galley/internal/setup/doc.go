// Package setup is where a command works and with which settings: the folder, how a session is opened there, which model
// answers, where the log goes; for a serving process also what becomes of all these when a setting changes. It shows the
// settings to a person, and asks them about the trust in a workspace.
//
// What a setting is and where it comes from is settings' to know. Nothing here decides about a change.
package setup
