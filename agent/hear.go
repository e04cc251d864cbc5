package agent

import "fmt"

func (r *run) prompt(text string) error {
	if err := r.deliver(); err != nil { // what was decided goes before what is said
		return err
	}
	if err := r.cfg.Session.Prompt(text); err != nil {
		return fmt.Errorf("journal the prompt: %w", err)
	}
	return nil
}

// hear takes in what the person said and decided since the last step.
func (r *run) hear() error {
	texts := r.cfg.Inbox.Take()
	for i, text := range texts {
		if err := r.say(text); err != nil {
			r.out.Left = append(r.out.Left, texts[i+1:]...)
			return err
		}
	}
	return r.deliver()
}

func (r *run) deliver() error {
	text, ok, err := r.cfg.Session.Notices()
	if err != nil {
		return fmt.Errorf("deliver the decisions: %w", err)
	}
	if ok {
		r.cfg.Events(DecisionsDelivered{Text: text})
	}
	return nil
}

func (r *run) say(text string) error {
	if err := r.prompt(text); err != nil {
		r.out.Left = append(r.out.Left, text)
		return err
	}
	r.cfg.Events(PromptDelivered{Text: text})
	return nil
}
