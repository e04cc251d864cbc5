package tools

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// ran is what became of a command.
type ran struct {
	code      int
	output    string
	dropped   int64 // bytes of the output that were not kept
	timedOut  bool
	cancelled bool
	left      bool // something went on in the background
	took      time.Duration
	err       error // it did not start
}

const (
	// commandGrace is how long a command has to end by itself when it is told to.
	commandGrace = 2 * time.Second
	// pipeGrace is how long its output is waited for when it has ended: what it
	// left in the background may hold the pipe.
	pipeGrace = 500 * time.Millisecond
	// killGrace is how long one is waited for that was killed.
	killGrace = 5 * time.Second
)

// errCommandTime is why a command is stopped that ran for too long.
var errCommandTime = errors.New("the command ran for too long")

// run runs a command to its end, or stops it and everything that it started.
func (o order) run(ctx context.Context) ran {
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, errCommandTime)
	defer cancel()
	out := &capture{hide: o.hide}
	cmd := shell(o.Text)
	cmd.Dir, cmd.Env = o.abs, o.env
	cmd.Stdout, cmd.Stderr = out, out // the same: their order is kept
	cmd.WaitDelay = pipeGrace
	began := time.Now()
	unreadable()
	over, err := start(cmd)
	if err != nil {
		return ran{err: err}
	}
	r := await(ctx, cmd)
	over()
	r.took = time.Since(began)
	r.output, r.dropped = out.text()
	return r
}

// await waits for the end of a command. Then its whole group is gone.
func await(ctx context.Context, cmd *exec.Cmd) ran {
	c := &child{cmd: cmd, done: make(chan error, 1)}
	go func() { c.done <- cmd.Wait() }()
	defer c.kill()
	if c.ends(ctx.Done()) {
		return ran{code: exitCode(cmd), left: errors.Is(c.err, exec.ErrWaitDelay)}
	}
	r := ran{code: noExitCode, timedOut: errors.Is(context.Cause(ctx), errCommandTime)}
	r.cancelled = !r.timedOut
	stopGroup(cmd)
	if !c.within(commandGrace) {
		c.kill()
	}
	if c.within(killGrace) { // one that hangs in the system cannot be killed
		r.code = exitCode(cmd)
	}
	return r
}

// noExitCode stands where a command was stopped without one.
const noExitCode = -1

// child is a command that was started.
type child struct {
	cmd   *exec.Cmd
	done  chan error
	ended bool
	err   error
}

// ends waits until the command ends, or until it is over.
func (c *child) ends(over <-chan struct{}) bool {
	if c.ended {
		return true
	}
	select {
	case c.err = <-c.done:
		c.ended = true
	case <-over:
	}
	return c.ended
}

func (c *child) within(d time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	return c.ends(ctx.Done())
}

// kill ends what there is of the command and of what it started.
func (c *child) kill() { killGroup(c.cmd, c.ended) }
