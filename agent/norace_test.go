//go:build !race

package agent_test

// randomScripts is how many random scripts are played.
const randomScripts = 200
