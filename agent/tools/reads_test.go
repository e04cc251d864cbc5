package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestU29ReadFilesAreNotKept reads a line of many files, and looks what is left of them.
func TestU29ReadFilesAreNotKept(t *testing.T) {
	const files, size = 100, 870 << 10 // 87 MB
	s := opened(t)
	content := strings.Repeat("a line of a file that is read\n", size/30)
	for i := range files {
		if err := os.WriteFile(filepath.Join(s.Workspace(), fmt.Sprintf("f%d.txt", i)), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(i int) {
		if o := call(t, s, "read", fmt.Sprintf(`{"path":"f%d.txt","start_line":1,"end_line":1}`, i)); o.Status != StatusOK {
			t.Fatal(o.JSON())
		}
	}
	read(0)
	before := held()
	for i := range files {
		read(i)
	}
	if n := len(s.Snapshot().Documents()); n != 0 {
		t.Errorf("%d documents are in the table", n)
	}
	if after := held(); after > before+4<<20 {
		t.Errorf("%d kB are held, before %d", after>>10, before>>10)
	}
	runtime.KeepAlive(s)
}

// held is the memory that is in use.
func held() uint64 {
	runtime.GC()
	runtime.GC() // pools take two
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
