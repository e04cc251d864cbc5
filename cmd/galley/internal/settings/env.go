package settings

import (
	"fmt"
	"slices"
	"strings"
)

const envPrefix = "GALLEY_"

// Variables of galley's that are no settings.
const (
	HomeVariable = "GALLEY_HOME" // of all sessions
	// HostVariable set to off keeps all in one process.
	HostVariable = "GALLEY_HOST"
	// InsideVariable is set in the commands of an agent: from there nothing is decided.
	InsideVariable = "GALLEY_INSIDE"
)

// Variable is the environment variable of a setting or group: model.base_url is GALLEY_MODEL_BASE_URL.
func Variable(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

// environment takes the variables that begin with GALLEY_. An empty one says nothing. What
// nobody knows is a warning only: a variable may be another program's.
func (l *loader) environment() {
	names := map[string]string{}
	for _, n := range slices.Concat(Names(), Groups()) {
		names[Variable(n)] = n
	}
	for _, pair := range slices.Sorted(slices.Values(l.src.Env)) {
		variable, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(variable, envPrefix) || value == "" || slices.Contains([]string{HomeVariable, HostVariable, InsideVariable}, variable) {
			continue
		}
		o := Origin{Source: FromEnvironment, Name: variable}
		if name, ok := names[variable]; ok {
			l.text(o, name, value)
		} else if slices.ContainsFunc(planned(), func(p string) bool { return strings.HasPrefix(variable+"_", Variable(p)+"_") }) {
			l.warn(o.say("", "it is known, but this version does not do it yet: it has no effect"))
		} else {
			l.warn(unknownVariable(o))
		}
	}
}

func unknownVariable(o Origin) Problem {
	var vars []string
	for _, n := range Names() {
		vars = append(vars, Variable(n))
	}
	next := ""
	if near := Nearest(o.Name[:min(len(o.Name), mostName)], vars); near != "" {
		next = "did you mean " + near + "?"
	}
	o.Name = shownName(o.Name)
	return o.say(next, "galley knows no such variable")
}

// flags takes what the command line says.
func (l *loader) flags() {
	for _, a := range l.src.Flags {
		l.text(Origin{Source: FromFlag, Name: a.Flag}, a.Name, a.Value)
	}
}

// text takes the text of a variable or a flag; that of a group is an object in JSON.
func (l *loader) text(o Origin, name, value string) {
	n, err := textNode(value), error(nil)
	if r, ok := Find(name); ok {
		n, err = r.fromText(value)
	} else if slices.Contains(Groups(), name) {
		if n, err = parseJSON([]byte(value)); err != nil {
			err = fmt.Errorf(`%s must be a JSON object, like {"%s": …}`, name, keysOf(name)[0])
		}
	}
	if err != nil {
		l.wrong(o.say("", "%s", err))
		return
	}
	l.walk(o, name, n)
}
