package tools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxProblems is how many problems one answer names; the first ones are usually the cause of the rest.
const maxProblems = 3

// maxUnknown is how many unknown names are looked at; what a model sends has no bound.
const maxUnknown = 10

// explain says in a few words what the schemas say of the arguments, "" if nothing.
func (c checker) explain(values map[string]any) string {
	var unknown, missing, wrong []string
	for name, value := range values {
		if a := c.arguments()[name]; a == nil {
			unknown = append(unknown, name)
		} else {
			wrong = append(wrong, c.wrong(name, *a, value)...)
		}
	}
	for _, name := range c.required {
		if _, is := values[name]; !is {
			missing = append(missing, name)
		}
	}
	slices.Sort(unknown)
	slices.Sort(wrong)
	problems, missing := c.misnamed(unknown[:min(len(unknown), maxUnknown)], missing)
	for _, name := range missing {
		problems = append(problems, "the argument "+quote(name)+" ("+c.expected(name)+") is missing")
	}
	problems = append(problems, wrong...)
	if more := len(problems) - maxProblems; more > 0 {
		problems = append(problems[:maxProblems], fmt.Sprintf("%d more", more))
	}
	return strings.Join(problems, "; ")
}

// misnamed says which names may have been meant, and what is missing besides.
func (c checker) misnamed(unknown, missing []string) (problems, rest []string) {
	var far []string
	for _, name := range unknown {
		near := c.nearest(name, missing)
		if near == "" {
			far = append(far, quote(name))
			continue
		}
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == near })
		problems = append(problems, "there is no argument "+quote(name)+"; did you mean "+quote(near)+" ("+c.expected(near)+")?")
	}
	if len(far) > 0 {
		far = far[:min(len(far), maxProblems)]
		problems = append(problems, "there is no argument "+strings.Join(far, " or ")+"; "+c.all())
	}
	return problems, missing
}

// nearest is the argument that an unknown name may stand for: a missing one rather than any.
func (c checker) nearest(name string, missing []string) string {
	if near := nearest(name, missing); near != "" {
		return near
	}
	return nearest(name, c.names)
}

func (c checker) all() string {
	if len(c.names) == 0 {
		return "this tool takes none"
	}
	return "the arguments are " + strings.Join(c.names, ", ")
}

// wrong says what is the matter with a value, or with the items of a list.
func (c checker) wrong(name string, a argument, got any) (all []string) {
	if a.Validate(got) == nil {
		return nil
	}
	if list, is := got.([]any); is && a.items != nil {
		for i, item := range list {
			all = append(all, c.wrong(fmt.Sprintf("%s/%d", name, i), *a.items, item)...)
		}
		return all
	}
	wanted, not, advice := c.expected(name), kindOf(got), ""
	switch got := got.(type) {
	case nil:
		advice = ": leave it out instead"
	case string:
		if a.Enum != nil || a.Pattern != "" {
			not = quote(got)
		}
	case float64:
		if a.Minimum != nil && got < *a.Minimum {
			wanted, not = fmt.Sprint("at least ", *a.Minimum), fmt.Sprint(got)
		}
	}
	return []string{"the argument " + quote(name) + " must be " + wanted + ", not " + not + advice}
}

// expected describes the values of an argument, or of an item in a list ("plan/0").
func (c checker) expected(name string) string {
	name, _, isItem := strings.Cut(name, "/")
	s := c.arguments()[name]
	switch {
	case isItem:
		return "a string"
	case s.Enum != nil:
		return "one of " + join(s.Enum)
	case len(s.Examples) > 0:
		return "a string like " + join(s.Examples)
	case s.items != nil:
		return "a list of strings"
	}
	return article(s.Type)
}

func article(typ string) string {
	switch typ {
	case "null":
		return typ
	case "integer", "object":
		return "an " + typ
	case "array":
		return "a list"
	}
	return "a " + typ
}

func join(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ", ")
}

// quote shows a word of the model's, which may be anything, in one short line.
func quote(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
