package settings

import (
	"slices"
	"strings"
)

const envPrefix = "GALLEY_"

// Variable is the environment variable of a setting or group: model.base_url is GALLEY_MODEL_BASE_URL.
func Variable(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

// environment takes the variables that begin with GALLEY_. GALLEY_HOME is no setting; an empty one says nothing. What
// nobody knows is a warning only: a variable may be another program's.
func (l *loader) environment() {
	rows, groups, vars := map[string]Row{}, map[string]string{}, []string{}
	for _, r := range Table() {
		rows[Variable(r.Name)] = r
		vars = append(vars, Variable(r.Name))
	}
	for _, g := range Groups() {
		groups[Variable(g)] = g
	}
	for _, pair := range slices.Sorted(slices.Values(l.src.Env)) {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, envPrefix) || name == "GALLEY_HOME" || value == "" {
			continue
		}
		o := Origin{Source: FromEnvironment, Name: name}
		if r, ok := rows[name]; ok {
			l.text(o, r, value)
		} else if g, ok := groups[name]; ok {
			l.json(o, g, value)
		} else if isPlannedVariable(name) {
			l.warn(o.say("", "it is known, but this version does not do it yet: it has no effect"))
		} else {
			l.warn(unknownVariable(o, vars))
		}
	}
}

// text takes the text of a variable or flag.
func (l *loader) text(o Origin, r Row, value string) {
	n, err := r.fromText(value)
	if err != nil {
		l.wrong(o.say("", "%s", err))
		return
	}
	l.assign(o, r, n)
}

// json takes a whole group at once.
func (l *loader) json(o Origin, group, value string) {
	n, err := parseJSON([]byte(value))
	if err != nil {
		l.wrong(o.say("", `%s must be a JSON object, like {"%s": …}`, group, keysOf(group)[0]))
		return
	}
	o.Line, n.line = 0, 0
	l.walk(o, group, n)
}

func isPlannedVariable(name string) bool {
	return slices.ContainsFunc(planned(), func(p string) bool {
		group, isGroup := strings.CutSuffix(p, ".")
		return name == Variable(group) || isGroup && strings.HasPrefix(name, Variable(group)+"_")
	})
}

func unknownVariable(o Origin, vars []string) Problem {
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
		o := Origin{Source: FromFlag, Name: a.Flag}
		r, isRow := Find(a.Name)
		switch {
		case isRow:
			l.text(o, r, a.Value)
		case slices.Contains(Groups(), a.Name):
			l.json(o, a.Name, a.Value)
		default:
			l.walk(o, a.Name, node{value: a.Value})
		}
	}
}
