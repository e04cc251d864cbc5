// Package doctor looks at all that galley needs on a machine, the settings, the model server, the folders, other programs
// and the terminal, and says what to do about what is not as it should be.
//
// It changes nothing: a file that it writes to try whether it can is removed, and only what refusals teach about a server
// is kept, as in a run. No key and no password is told.
package doctor
