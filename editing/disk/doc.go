// Package disk is the only code that touches users' files.
//
// It resolves every path with its symbolic links before anything is opened, and again at each use: what lies outside
// the workspace roots, git's own files, secrets and denied files is refused, with a hint that says what to do.
//
// Files change in batches (Batch): all steps happen, or none. Prepare checks and writes all that is new beside its
// place, down to the disk. Commit then exchanges under a lock that all galley processes take, and looks at what came
// out: what somebody saved at that moment is put back, and the batch with it. After a kill, Recover says how far each
// step came, and Remaining what is left to do.
//
// A new text gets a file of its own with the owner, the mode, the ACL and the attributes of the old one. Where that
// cannot be, and where a file has several names or is mounted at its place, it is written in place: then the caller
// keeps the old bytes (Part.Old), since a kill can tear the file.
//
// It also notices what others did to the files, by their looks (Stamps): a command that was run, say.
//
// What git ignores and tracks it reads from the files of git, which it never runs.
//
// Roots never change after Open, so every method may be called from any goroutine. The package holds no text and no
// decision: it never writes over bytes it was not told to expect, never takes a name that is not free, never follows a
// link out of the roots, and never waits for a pipe or a device.
package disk
