package session

import (
	"github.com/galley-ls/galley/editing"
)

// This file makes the folders that an editor needs which gives a file another name: not
// every editor makes them itself. They are in the journal before there are any, and go
// before it says that the file did not come.

// plan notes the folders that editors need for what they are asked for.
func (s *road) plan(p *editing.Plan) {
	for _, path := range p.Renaming() {
		p.Made(path, s.Files().Missing(path))
	}
}

// accept makes a journaled plan the state, with the folders that editors need. Where
// one cannot be made, the editor says so.
func (s *queue) accept(p *editing.Plan) bool {
	var made []string
	for _, c := range p.Record.Changes {
		if c.Kind == editing.KindRename && c.State == editing.Applying {
			_ = s.Files().MakeFolders(c.File.Made)
			made = append(made, c.File.Made...)
		}
	}
	if s.texts.Accept(p) {
		return true
	}
	s.Files().RemoveFolders(made)
	return false
}

// emptied removes the folders of files that a record says are not there, or not any more.
func (b *base) emptied(changes []*editing.Change) {
	for _, c := range changes {
		if c.File != nil && c.State != editing.Applying && !c.WasApplied() {
			b.Files().RemoveFolders(c.File.Made)
		}
	}
}

// cutOffRenames are the letters that an editor was bringing in when galley ended.
func cutOffRenames(im *editing.Image) []string {
	var out []string
	for _, c := range im.Open() {
		if c.Kind == editing.KindRename && c.State == editing.Applying {
			out = append(out, c.Letter)
		}
	}
	return out
}
