package run

import (
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

func TestExitOfRun(t *testing.T) {
	tests := []struct {
		reason agent.Reason
		waits  int
		want   int
	}{
		{agent.Done, 0, term.ExitDone},
		{agent.Done, 2, term.ExitWaiting},
		{agent.Cancelled, 0, term.ExitStopped},
		{agent.Limit, 2, term.ExitStopped},
		{agent.Budget, 0, term.ExitStopped},
		{agent.Repeated, 0, term.ExitStopped},
	}
	for _, test := range tests {
		if got := exitOfRun(test.reason, test.waits); got != test.want {
			t.Errorf("%s with %d waiting: got %d, want %d", test.reason, test.waits, got, test.want)
		}
	}
}
