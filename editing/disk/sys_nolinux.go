//go:build !linux

package disk

// mounted is not known here.
func (d *folder) mounted(string) bool { return false }

func processSpace() string { return "" }

// processStart is not known here.
func processStart(int) (start uint64, known bool) { return 0, false }
