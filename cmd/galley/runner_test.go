package main

import (
	"testing"

	"github.com/galley-ls/galley/agent"
)

func TestExitOfRun(t *testing.T) {
	tests := []struct {
		reason agent.Reason
		waits  int
		want   int
	}{
		{agent.Done, 0, exitDone},
		{agent.Done, 2, exitWaiting},
		{agent.Cancelled, 0, exitStopped},
		{agent.Limit, 2, exitStopped},
		{agent.Budget, 0, exitStopped},
		{agent.Repeated, 0, exitStopped},
	}
	for _, test := range tests {
		if got := exitOfRun(test.reason, test.waits); got != test.want {
			t.Errorf("%s with %d waiting: got %d, want %d", test.reason, test.waits, got, test.want)
		}
	}
}
