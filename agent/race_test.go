//go:build race

package agent_test

// randomScripts is less under the race detector: it looks for what goroutines do to each other, and makes everything
// many times slower. All 200 are played without it.
const randomScripts = 50
