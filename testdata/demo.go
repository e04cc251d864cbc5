// Package testdata embeds the sample workspace that `galley demo` copies and plays on, and the scripts of its walks. The
// binary carries the files byte for byte, the CRLF of the guide included. It holds no state and imports nothing of galley.
package testdata

import "embed"

// Demo is the sample workspace, below the folder "demo".
//
//go:embed demo
var Demo embed.FS

// Walks are the scripts of the demo, below the folder "walks": one file a walk, named after it.
//
//go:embed walks
var Walks embed.FS
