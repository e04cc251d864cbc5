// Package cli is what the commands of galley have in common: the place and its settings, the connection to the host, flags and
// what completes them, help pages, exit codes.
package cli
