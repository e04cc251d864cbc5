//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

const nonblock = 0

func isNotDir(error) bool { return false }

func isTooLong(error) bool { return false }

// hardLinks is not known here; a replacement parts them.
func hardLinks(fs.FileInfo) uint64 { return 1 }

// keepOwner has nothing to do: a new file inherits its owner and rights from the folder.
func keepOwner(*os.File, fs.FileInfo) bool { return true }

func mayChange(string) error { return nil }

// inode is not known here.
func inode(string) (number uint64, changed int64) { return 0, 0 }
