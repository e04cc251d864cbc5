package term

import (
	"os"
	"os/exec"
	"strings"
)

// Page shows a text that is higher than the terminal by the person's pager: $PAGER, else less. Where there is none, where
// it cannot be started, or where no terminal reads, it is printed.
func (s Screen) Page(text string) {
	s = s.Now()
	if s.Rows == 0 || !s.Moves || rowsOf(text, s.Width) < s.Rows || !page(s, text) {
		s.Print(text)
	}
}

func rowsOf(text string, width int) (rows int) {
	for line := range strings.Lines(text) {
		rows += max(1, (ColumnsOf(line)+width-1)/width)
	}
	return rows
}

// page reports whether a pager has shown the text.
func page(s Screen, text string) bool {
	words := []string{"less", "-R"}
	if own, ok := os.LookupEnv("PAGER"); ok {
		words = strings.Fields(own)
	}
	if len(words) == 0 {
		return false
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout = strings.NewReader(text), s.W
	if o, ok := s.W.(*Output); ok { // a pager wants the terminal itself
		cmd.Stdout = o.File
	}
	cmd.Stderr = cmd.Stdout
	if cmd.Env = os.Environ(); os.Getenv("LESS") == "" {
		cmd.Env = append(cmd.Env, "LESS=FRX") // what is read stays on the screen, as after git diff
	}
	if err := cmd.Start(); err != nil {
		return false
	}
	_ = cmd.Wait() // how a pager ends says nothing about the text
	return true
}
