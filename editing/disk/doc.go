// Package disk is the only code that touches users' files.
//
// It resolves every path with its symbolic links before anything is opened, and again at each use: what lies outside
// the workspace roots, git's own files, secrets and denied files is refused, with a hint that says what to do. A file
// is replaced as a whole or not at all, keeps its mode, its links and, where the system lets it, its owner; extended
// attributes are not carried over. Files with several hard links are written in place, because a replacement would
// part them.
//
// It also notices what others did to the files, by their looks (Stamps): a command that was run, say.
//
// Roots never change after Open, so every method may be called from any goroutine. The package holds no text and no
// decision: it never creates a file, never writes over bytes it was not told to expect, never follows a link out of
// the roots, and never waits for a pipe or a device.
package disk
