package openai

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/galley-ls/galley/memory"
)

//go:embed verdicts.txt
var verdictsText string

// sentence is one section of verdicts.txt.
type sentence struct {
	section
	when, words []*regexp.Regexp
}

var sentences = sync.OnceValue(func() (all []sentence) {
	for _, s := range readSections(verdictsText) {
		all = append(all, sentence{section: s, when: patterns(s.texts("when")), words: patterns(s.texts("words"))})
	}
	return all
})

func sentenceNamed(name string) sentence {
	all := sentences()
	return all[slices.IndexFunc(all, func(s sentence) bool { return s.name == name })]
}

func patterns(texts []string) (all []*regexp.Regexp) {
	for _, text := range texts {
		all = append(all, regexp.MustCompile(text))
	}
	return all
}

// anyOf tells whether one of some patterns is in a text.
func anyOf(patterns []*regexp.Regexp, text string) bool {
	return slices.ContainsFunc(patterns, func(r *regexp.Regexp) bool { return r.MatchString(text) })
}

// verdictOn is the name of the section that fits what a server said.
func verdictOn(f *failure, said string, soon bool) string {
	first := fmt.Sprint(f.status)
	for _, mark := range []struct {
		is   bool
		word string
	}{{f.page, " page"}, {f.message == "", " wordless"}, {soon, " soon"}} {
		if mark.is {
			first += mark.word
		}
	}
	subject := first + "\n" + said
	all := sentences()
	i := slices.IndexFunc(all, func(s sentence) bool {
		return anyOf(s.when, subject) && (s.words == nil || anyOf(s.words, strings.ToLower(f.words())))
	})
	return all[i].name // “refused” fits everything
}

// blanks are where a sentence names something.
var blanks = memory.Pattern(`\$\w+`)

// words are what stands for $name in a sentence.
type words map[string]string

// triesNamed are the words for how often in all a request is worth making.
var triesNamed = map[string]int{"": triesOnce, "once": triesOnce, "twice": triesTwice, "few": triesFew, "all": triesAll}

// say makes a verdict of a section of verdicts.txt.
func (m *Model) say(name string, v words) verdict {
	s := sentenceNamed(name)
	if like := s.text("like", nil); like != "" {
		return m.say(like, v)
	}
	holds := func(condition string) bool {
		if said, ok := strings.CutPrefix(condition, "/"); ok {
			return regexp.MustCompile(strings.TrimSuffix(said, "/")).MatchString(v["heard"])
		}
		return condition == m.row || slices.Contains(m.keyKnown(), condition)
	}
	fill := func(name string) string {
		return blanks().ReplaceAllStringFunc(s.text(name, holds), func(blank string) string { return first(v[blank[1:]], m.word(blank[1:])) })
	}
	return verdict{
		err:   &Error{Kind: Kind(fill("kind")), What: fill("what"), Next: fill("next")},
		tries: triesNamed[fill("tries")], short: fill("short") + " " + m.addr.host,
	}
}

// keyKnown is what is known of the key.
func (m *Model) keyKnown() []string {
	known := "a key"
	if m.cfg.Key == "" {
		known = "no key"
	}
	if m.cfg.KeyName == "" {
		return []string{known}
	}
	return []string{known, known + " of a name"}
}

// word is what any sentence may name.
func (m *Model) word(name string) string {
	switch name {
	case "server":
		return m.addr.String()
	case "model":
		return m.cfg.Model
	case "name":
		return m.Name()
	case "keyname":
		return m.cfg.KeyName
	case "address":
		return m.hintAddress()
	}
	return ""
}

// hintAddress says how a base URL looks.
func (m *Model) hintAddress() string {
	if !strings.HasSuffix(m.addr.path, "/v1") && m.Profile().API != apiAzure {
		return fmt.Sprintf("set model.base_url (GALLEY_MODEL_BASE_URL) to where the API begins; most often it ends in /v1: %s/v1", m.addr)
	}
	return "set model.base_url (GALLEY_MODEL_BASE_URL) to the address of an OpenAI-compatible API, and look whether a proxy stands in between"
}
