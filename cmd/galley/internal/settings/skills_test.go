package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func skillText(name, description string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\nlicense: MIT\n---\n\n# How to\n", name, description)
}

// Skills are those of the user, and of a workspace that is trusted, whose go over the user's; a broken one is named.
func TestSkills(t *testing.T) {
	h := newHouse(t)
	h.user("skills/pdf/SKILL.md", skillText("pdf", "Read PDF files.\n  Use it when somebody names one."))
	h.user("skills/deploy/SKILL.md", skillText("deploy", "the user's way"))
	h.user("skills/notes.txt", "no skill")
	h.user("skills/.hidden/SKILL.md", "no skill")
	own := h.own("skills/deploy/SKILL.md", "\ufeff"+strings.ReplaceAll(skillText("deploy", `"How we deploy: with care"`), "\n", "\r\n"))
	names := func(l Loaded) string {
		var all []string
		for _, s := range l.Skills {
			all = append(all, s.Name+": "+s.Description)
		}
		return strings.Join(all, "\n")
	}
	l := h.load(Sources{})
	if got := names(l); got != "deploy: the user's way\npdf: Read PDF files. Use it when somebody names one." {
		t.Errorf("untrusted:\n%s", got)
	}
	if got := h.told(l); !strings.Contains(got, "this workspace is not trusted: .galley/skills/deploy/SKILL.md is not taken over") {
		t.Errorf("untrusted, it tells:\n%s", got)
	}
	l = h.trust()
	h.quiet(l)
	if got := names(l); !strings.HasPrefix(got, "deploy: How we deploy: with care\n") || l.Skills[0].File != own {
		t.Errorf("trusted:\n%s", got)
	}
	h.own("skills/deploy/SKILL.md", skillText("deploy", "something else"))
	if l := h.load(Sources{}); l.Trust.State != Changed || strings.Contains(names(l), "something else") {
		t.Errorf("changed since: %s\n%s", l.Trust.State, names(l))
	}
}

func TestBrokenSkills(t *testing.T) {
	h := newHouse(t)
	for name, c := range map[string]struct{ text, want string }{
		"nofront":  {"# How to\n", "it does not begin with front matter"},
		"open":     {"---\nname: open\ndescription: x\n", "it does not begin with front matter"},
		"yaml":     {"---\nname: [\n---\n", "its front matter is not valid"},
		"kind":     {"---\nname: {a: b}\ndescription: x\n---\n", "its front matter is not valid"},
		"noname":   {"---\ndescription: x\n---\n", `its name is ""`},
		"badname":  {skillText("Bad Name", "x"), `its name is "Bad Name"`},
		"nowords":  {"---\nname: nowords\ndescription: ' '\n---\n", "it has no description"},
		"long":     {skillText("long", strings.Repeat("x", mostSkillWords+1)), "longer than 1024 characters"},
		"large":    {skillText("large", "x") + strings.Repeat("x", mostSkillLength), "larger than 256 KB"},
		"binary":   {"\xff\xfe", "not UTF-8"},
		"empty":    {"", "it does not begin with front matter"},
		"big-head": {"---\nname: big-head\ndescription: |\n" + strings.Repeat("  x\n", mostBytes/4) + "---\n", "its front matter is larger than 64 KB"},
	} {
		path := h.user("skills/"+name+"/SKILL.md", c.text)
		l := h.load(Sources{})
		if told := h.told(l); !strings.HasPrefix(told, "warning ~/.config/galley/skills/"+name+"/SKILL.md") || !strings.Contains(told, c.want) || len(l.Skills) != 0 {
			t.Errorf("%s: %d skills, it tells\n%s", name, len(l.Skills), told)
		}
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(h.config(), "skills", "nothing"), 0o700); err != nil {
		t.Fatal(err)
	}
	if told := h.told(h.load(Sources{})); !strings.Contains(told, "skills/nothing/SKILL.md") {
		t.Errorf("a folder without one:\n%s", told)
	}
}

// A skill of a workspace lies in it; one of the user may be a link to anywhere.
func TestLinkedSkills(t *testing.T) {
	h := newHouse(t)
	elsewhere := h.write(filepath.Join(h.home, "elsewhere", "linked", "SKILL.md"), skillText("linked", "x"))
	for _, dir := range []string{h.config(), WorkspaceDir(h.workspace)} {
		if err := os.MkdirAll(filepath.Join(dir, "skills"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Dir(elsewhere), filepath.Join(dir, "skills", "linked")); err != nil {
			t.Fatal(err)
		}
	}
	l := h.load(Sources{Trusted: true})
	if len(l.Skills) != 1 || l.Skills[0].Source != FromUser || l.Skills[0].File != elsewhere {
		t.Errorf("%+v", l.Skills)
	}
	if told := h.told(l); told != "warning .galley/skills/linked/SKILL.md: this skill is not offered: a link leads out of the workspace; put it right, or remove the folder" {
		t.Error(told)
	}
}

func TestManySkills(t *testing.T) {
	h := newHouse(t)
	for n := range mostSkills + 5 {
		h.user(fmt.Sprintf("skills/s%03d/SKILL.md", n), skillText(fmt.Sprintf("s%03d", n), "x"))
	}
	l := h.load(Sources{})
	if told := h.told(l); len(l.Skills) != mostSkills || !strings.Contains(told, "there are more than 64 skills; those behind s063 are not offered") {
		t.Errorf("%d skills, it tells\n%s", len(l.Skills), told)
	}
}
