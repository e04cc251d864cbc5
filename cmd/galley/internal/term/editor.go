package term

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Edit opens a file in the person's editor, $VISUAL or $EDITOR, and waits until it ends.
func (c Console) Edit(path string) error {
	words := strings.Fields(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"))
	if len(words) == 0 {
		return errors.New("$EDITOR is blank; name your editor in it")
	}
	cmd := exec.Command(words[0], append(words[1:], path)...)
	if c.InIsTerm {
		cmd.Stdin = c.In
	}
	cmd.Stdout, cmd.Stderr = c.Out.W, c.Err.W
	if o, ok := c.Out.W.(*Output); ok { // an editor wants the terminal itself
		cmd.Stdout = o.File
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w; $EDITOR names another editor", words[0], err)
	}
	return nil
}
