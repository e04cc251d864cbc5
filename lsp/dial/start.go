package dial

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// readyFD is the descriptor on which a host that is being started says how that went.
const readyFD = 3

// ready is its first word, where all is well; else it is a sentence.
const ready = "ready"

// Spawn starts a program as a host: in a session of its own, with no other tie to this
// process than a pipe, on which it says that it can be reached (see Ready).
func Spawn(ctx context.Context, program string, args ...string) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	cmd := exec.Command(program, args...)
	cmd.ExtraFiles = []*os.File{w}
	cmd.Dir = string(os.PathSeparator) // nobody's folder is kept
	cmd.SysProcAttr = detached()
	err = errors.Join(cmd.Start(), w.Close())
	if err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // it may live longer than this process; else it must not stay a zombie
	defer context.AfterFunc(ctx, func() { _ = r.Close() })()
	line, err := bufio.NewReader(r).ReadString('\n')
	switch line = strings.TrimSpace(line); {
	case line == ready:
		return nil
	case line != "":
		return errors.New(line)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return fmt.Errorf("it ended at once: %w", err)
}

// Ready tells who started this host that it can be reached, or with an error why not.
// Where nobody waits for that it does nothing.
func Ready(why error) {
	f := os.NewFile(readyFD, "ready")
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return
	}
	word := ready
	if why != nil {
		word = strings.ReplaceAll(why.Error(), "\n", "; ")
	}
	_, _ = fmt.Fprintln(f, word)
	_ = f.Close()
}
