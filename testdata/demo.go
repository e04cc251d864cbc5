// Package testdata embeds the sample workspace that `galley demo` copies and plays on. The binary carries the files
// of testdata/demo byte for byte, the CRLF of the guide included. It holds no state and imports nothing of galley.
package testdata

import "embed"

// Demo is the sample workspace, below the folder "demo".
//
//go:embed demo
var Demo embed.FS
