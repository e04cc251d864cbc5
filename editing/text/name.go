package text

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Fold makes names equal that differ in capitals, or in how their accents are written.
func Fold(name string) string { return strings.ToLower(norm.NFC.String(name)) }
