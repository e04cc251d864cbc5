package session

import "io/fs"

// sameOwner: there is no folder here that all users write to, as /tmp is.
func sameOwner(_, _ fs.FileInfo) bool { return true }
