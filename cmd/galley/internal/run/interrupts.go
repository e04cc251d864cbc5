package run

import (
	"os"
	"os/signal"
	"syscall"
)

// watchInterrupts tells of the first interrupt of a run, which ends it at a safe point as the context of every command
// does, and of the second, which nobody has to wait for. The end stops it.
func watchInterrupts(first, second func()) (end func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	over := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		callInTurn(signals, over, first, second)
	}()
	return func() {
		signal.Stop(signals)
		close(over)
		<-done
	}
}

// callInTurn calls one function for each signal, in their order, until all have been called or it is over.
func callInTurn(signals <-chan os.Signal, over <-chan struct{}, calls ...func()) {
	for _, call := range calls {
		select {
		case <-signals:
			call()
		case <-over:
			return
		}
	}
}
