package tools

import (
	"strconv"
	"strings"
)

// TaskNumber reads a task id as the model writes it, "2" or "#2". An empty id is 0, true: none was named.
func TaskNumber(id string) (int, bool) {
	if id == "" {
		return 0, true
	}
	return number(strings.TrimPrefix(id, "#"))
}

// EditNumber reads the id of an editing session, "sess-3". An empty id is 0, true: none was named.
func EditNumber(id string) (int, bool) {
	if id == "" {
		return 0, true
	}
	digits, found := strings.CutPrefix(id, "sess-")
	if !found {
		return 0, false
	}
	return number(digits)
}

func number(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0
}
