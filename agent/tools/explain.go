package tools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxProblems is how many problems one answer names; the first ones are usually the cause of the rest.
const maxProblems = 3

// maxUnknown is how many unknown names are looked at; what a model sends has no bound.
const maxUnknown = 10

// explain says in a few words what the schema says of the arguments.
func (c checker) explain(invalid *jsonschema.ValidationError) string {
	var unknown, missing, wrong []string
	for _, leaf := range leaves(invalid) {
		switch k := leaf.ErrorKind.(type) {
		case *kind.AdditionalProperties:
			unknown = append(unknown, k.Properties...)
		case *kind.Required:
			missing = append(missing, k.Missing...)
		default:
			wrong = append(wrong, c.wrong(leaf))
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

// wrong says what is the matter with a value.
func (c checker) wrong(leaf *jsonschema.ValidationError) string {
	name := strings.Join(leaf.InstanceLocation, "/")
	is := "the argument " + quote(name) + " must be "
	switch k := leaf.ErrorKind.(type) {
	case *kind.Type:
		advice := ""
		if k.Got == "null" {
			advice = ": leave it out instead"
		}
		return is + c.expected(name) + ", not " + article(k.Got) + advice
	case *kind.Enum:
		return is + c.expected(name) + ", not " + quote(fmt.Sprint(k.Got))
	case *kind.Minimum:
		return is + "at least " + k.Want.RatString() + ", not " + k.Got.RatString()
	case *kind.Pattern:
		return is + c.expected(name) + ", not " + quote(k.Got)
	}
	return is + c.expected(name)
}

// leaves are the errors that have no deeper cause.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// expected describes the values of an argument, or of an item in a list ("plan/0").
func (c checker) expected(name string) string {
	name, _, isItem := strings.Cut(name, "/")
	s := c.schema().Properties[name]
	switch {
	case s == nil:
		return "something else"
	case isItem:
		return "a string"
	case s.Enum != nil:
		return "one of " + join(s.Enum.Values)
	case len(s.Examples) > 0:
		return "a string like " + join(s.Examples)
	case s.Items2020 != nil:
		return "a list of strings"
	}
	return article(s.Types.ToStrings()[0])
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
