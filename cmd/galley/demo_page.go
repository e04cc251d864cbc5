package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
)

// page is what the demo is printed on.
type page struct {
	s    screen
	step int // of the walk that is played
}

const (
	pageWidth  = 96 // at most, and without a terminal
	pageIndent = "   "
)

// The marks of who speaks: the person to the agent, the person in a review, the agent, and galley to the agent.
const (
	markSays    = "› "
	markTypes   = "> "
	markAnswers = "« "
	markHears   = "→ "
)

func newPage(s screen) *page {
	if s.width == 0 || s.width > pageWidth {
		s.width = pageWidth
	}
	return &page{s: s}
}

// inner is the screen of what stands below a step.
func (p *page) inner() screen {
	s := p.s
	s.width -= len(pageIndent)
	return s
}

// prose prints a paragraph of the demo's own words.
func (p *page) prose(words string) { p.s.println(wrap(words, p.s.width)) }

func (p *page) headline(title string) {
	p.step = 0
	line := "━━ " + title + " "
	line += strings.Repeat("━", max(0, p.s.width-columnsOf(line)))
	p.s.println("\n" + p.s.paint(styleStrong, line))
}

// next begins a step of a walk.
func (p *page) next(title string) {
	p.step++
	p.s.println("")
	for _, row := range hung(fmt.Sprintf("%d. ", p.step), title, p.s.width) {
		p.s.println(p.s.paint(styleStrong, row))
	}
}

// hung breaks a line into rows behind a mark.
func hung(mark, line string, width int) []string {
	rows := strings.Split(wrap(line, width-columnsOf(mark)), "\n")
	for i := range rows {
		rows[i] = mark + rows[i]
		mark = strings.Repeat(" ", columnsOf(mark))
	}
	return rows
}

// block prints lines below a step as they are.
func (p *page) block(lines string) {
	for line := range strings.Lines(lines) {
		p.s.println(strings.TrimRight(pageIndent+strings.TrimRight(line, "\n"), " "))
	}
}

// voice prints what somebody says below a step, each line behind a mark.
func (p *page) voice(as style, mark, words string) {
	s := p.inner()
	for line := range strings.Lines(words) {
		for _, row := range hung(mark, clean(strings.TrimRight(line, "\n")), s.width) {
			p.block(s.paint(as, row))
		}
	}
}

func (p *page) says(prompt string)   { p.voice(styleAsk, markSays, prompt) }
func (p *page) types(line string)    { p.voice(styleAsk, markTypes, line) }
func (p *page) answers(words string) { p.voice(stylePlain, markAnswers, words) }
func (p *page) note(words string)    { p.voice(styleFaint, "", words) }

// calls prints a tool call and what came of it.
func (p *page) calls(c call) {
	const names = 25
	line, s := c.step(), p.inner()
	for i, row := range hung("", shortStep(c, line.text), s.width-names) {
		name := pad(map[bool]string{true: c.name}[i == 0], names)
		p.block(s.paint(styleFaint, name) + s.paint(line.as, row))
	}
}

// shortStep leaves out of a step what the demo shows in full beside it.
func shortStep(c call, line string) string {
	r := c.result
	switch r.Status {
	case tools.StatusEditing:
		for _, p := range r.PendingChanges {
			if p.Preview != "" {
				return fmt.Sprintf("✎ staged %s: %s, line %d", p.ChangeID, clean(p.Path), p.Line)
			}
		}
	case tools.StatusNeedsMatch:
		var places []string
		for _, p := range r.Candidates {
			places = append(places, fmt.Sprintf("%s line %d", p.ID, p.Line))
		}
		return fmt.Sprintf("? %s: %s", plural(len(places), "place"), strings.Join(places, ", "))
	case tools.StatusProposed, tools.StatusCommitted:
		c.result.Summary = ""
		return c.step().text
	}
	return line
}

// proof draws one letter as it is reviewed, with some lines around it.
func (p *page) proof(c view.Change, around int) {
	s := p.inner()
	where, because := whereIs(c), ""
	if c.Reason != "" {
		because = cut(" · because: "+oneLine(c.Reason, 200), s.width-columnsOf("[A] "+where))
	}
	p.block(s.paint(styleAsk, "["+c.Letter+"]") + " " + s.paint(styleStrong, where) + s.paint(styleFaint, because))
	p.drawn(gutter(c.Lines.Around(around)))
}

// shrunk tells how large the next request to the model is, and how large one was before.
func (p *page) shrunk(before, after memory.ContextMeta) {
	talk := func(m memory.ContextMeta) int { return m.Categories.History + m.Categories.Folds }
	p.note(fmt.Sprintf("The next request has %d tokens, %d of them conversation; before it was %d and %d.",
		after.TokensUsed, talk(after), before.TokensUsed, talk(before)))
}

func (p *page) intro(workspace string) {
	p.prose("An agent proposes edits. galley holds each one back under a letter, shows you where it would go, and writes it only " +
		"when you say so. See it at work on a sample project:")
	p.s.println("\n  " + workspace + "\n")
	p.prose("Files, tools, review and history are real. Only you are played: › is what you say to the agent, > what you type in a " +
		"review. « is the agent. Its model is the built-in offline one: no key, no network and no language model; it follows plain " +
		"instructions.")
}

func (p *page) outro(folder string, removed bool) {
	p.headline("Now you")
	galley := programName()
	commands := []string{
		galley + ` run 'replace "pool: 20" with "pool: 40" in services.yaml'`,
		pad(galley+" review", 18) + "# decide later about what waits",
		pad(galley+" run help", 18) + "# all that the offline model understands",
	}
	words := "The same works in any folder of yours:"
	if !removed {
		words = "The sample project stays for you to play with. " + words
		commands = slices.Concat([]string{"cd " + shellWord(filepath.Join(folder, sampleName))}, commands, []string{removal(folder)})
	}
	p.prose(words)
	p.s.println("\n  " + strings.Join(commands, "\n  ") + "\n")
	p.prose("In an editor: galley serve shows and decides the same letters in Neovim, Helix and Emacs (docs/editors.md). " +
		"With your own model: galley doctor shows the lines that choose one.")
}

// programName is what a person has to type to run this program.
func programName() string {
	const name = "galley"
	if _, err := exec.LookPath(name); err == nil {
		return name
	}
	path, err := os.Executable()
	if err != nil {
		return name
	}
	return shellWord(path)
}

// removal is the command that removes the folder, from within the sample project.
func removal(folder string) string {
	back, err := filepath.Rel(filepath.Join(folder, sampleName), ".")
	if err != nil { // an absolute folder means the same everywhere
		return "rm -r " + shellWord(folder)
	}
	return "cd " + shellWord(back) + " && rm -r " + shellWord(folder)
}
