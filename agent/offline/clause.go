package offline

import (
	"slices"
	"strings"
)

// clauses reads what may follow in any order. Clauses may begin on a new line, since no verb is called like one.
func (p *parser) clauses(f form, s *Step) *Error {
	seen := map[clause]bool{}
	for p.tok.kind == tokenWord {
		c := clause(strings.ToLower(p.tok.text))
		if !slices.Contains(clauses, c) {
			return nil
		}
		if !f.takes(c) || s.Kind == kindFile && c == clauseIn {
			return p.fail("%s does not go with %s", c, s.Verb)
		}
		if seen[c] {
			return p.fail("%s stands here twice", c)
		}
		seen[c] = true
		if err := p.advance(); err != nil {
			return err
		}
		if err := p.clause(c, s); err != nil {
			return err
		}
	}
	if f.needs != "" && !seen[f.needs] && (s.Verb != Revert || s.Text == "") {
		return p.fail("%s is missing here", f.needs.shape())
	}
	return nil
}

// shape is what a missing clause looks like.
func (c clause) shape() string {
	if c == clauseTo {
		return "to FILE"
	}
	return string(c) + ` "…"`
}

func (p *parser) clause(c clause, s *Step) *Error {
	switch c {
	case clauseTo:
		if s.Verb == Rename {
			return p.file(&s.To, "the new name")
		}
		return p.file(&s.Path, "the file behind to")
	case clauseIn:
		return p.file(&s.Path, "the file behind "+string(c))
	case clauseAfter:
		return p.text(&s.After, "the anchor", false)
	case clauseBefore:
		return p.text(&s.Before, "the anchor", false)
	case clauseEverywhere:
		s.Everywhere = true
	case clauseBecause:
		return p.text(&s.Because, "the reason", false)
	case clauseWith:
		if s.Verb == Task {
			return p.plan(s)
		}
		return p.text(&s.New, "the new text", true)
	}
	return nil
}

// plan reads the children of a task.
func (p *parser) plan(s *Step) *Error {
	for {
		var child string
		if err := p.text(&child, "the goal of a child", false); err != nil {
			return err
		}
		s.Plan = append(s.Plan, child)
		if p.tok.kind != tokenMark {
			return nil
		}
		if err := p.advance(); err != nil {
			return err
		}
	}
}

// complete brings a step whose reason may stand in two places into one form, and refuses what contradicts itself.
func (p *parser) complete(_ form, s *Step) *Error {
	switch {
	case s.Verb == Revert && s.Text != "" && s.Because != "":
		return p.fail("there are two reasons")
	case s.Verb == Revert:
		s.Text, s.Because = s.Text+s.Because, ""
	case s.Kind == kindFile && (s.After != "" || s.Before != "" || s.Everywhere):
		return p.fail("a whole file is deleted, so there is no place in it")
	case s.Kind == "auto" && (s.Text != "" || s.Because != ""):
		return p.fail("commit auto makes its summary itself")
	}
	return nil
}
