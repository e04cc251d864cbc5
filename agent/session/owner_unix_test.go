//go:build unix

package session

import (
	"io/fs"
	"syscall"
	"testing"
)

// ofUser is a file of a user.
type ofUser struct {
	fs.FileInfo
	uid uint32
}

func (f ofUser) Sys() any { return &syscall.Stat_t{Uid: f.uid} }

func TestSameOwner(t *testing.T) {
	if !sameOwner(ofUser{uid: 7}, ofUser{uid: 7}) || sameOwner(ofUser{uid: 7}, ofUser{uid: 8}) {
		t.Error("the owners are not told apart")
	}
}
