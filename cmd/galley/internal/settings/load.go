package settings

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Sources are where Load looks.
type Sources struct {
	Config    string   // the folder of the person's settings, "": none
	Workspace string   // the folder that is worked in, "": none
	Editor    []any    // what an editor said, as JSON: nested or dotted; later ones over earlier
	Trusted   bool     // the editor's user trusts the workspace
	Env       []string // as of os.Environ
	Flags     []Assignment
}

// Assignment is a setting on the command line.
type Assignment struct {
	Flag  string // as it was written, for people
	Name  string
	Value string
}

// Loaded is what is in force, and what there is to say about it.
type Loaded struct {
	Settings Settings
	Origins  map[string]Origin // of what is not the default
	Errors   []Problem         // what was passed over because it is wrong
	Warnings []Problem
	Files    []File // of settings, all that are looked for
	Prompts  Prompts
	Trust    Trust // of the workspace
}

// Origin says where a setting's value comes from.
func (l Loaded) Origin(name string) Origin { return l.Origins[name] }

// Load reads all sources, in their order.
func Load(src Sources) Loaded {
	l := &loader{src: src, out: Loaded{Settings: Default(), Origins: map[string]Origin{}}}
	l.userFile()
	l.workspaceFile()
	for _, said := range src.Editor {
		l.walk(Origin{Source: FromEditor, Name: src.Workspace}, "", nodeOf(said, 0))
	}
	l.environment()
	l.flags()
	l.levels()
	l.prompts()
	return l.out
}

// loader puts one source over the other.
type loader struct {
	src       Sources
	out       Loaded
	seen      map[string]int // the names that a file has set, with their lines
	untrusted bool           // what is read now needs trust

	promptFile Prompt // the one that the workspace's settings name, as it was when trust was looked at
	promptErr  error  // why it could not be read then
}

// mostProblems is how many a person reads. What comes behind them in a file is not looked at: it is no file of settings.
const mostProblems = 100

func (l *loader) wrong(p Problem) { l.out.Errors = append(l.out.Errors, p) }
func (l *loader) warn(p Problem)  { l.out.Warnings = append(l.out.Warnings, p) }

// full reports that there is enough to tell.
func (l *loader) full() bool { return len(l.out.Errors)+len(l.out.Warnings) >= mostProblems }

// walk takes all that stands below a name.
func (l *loader) walk(o Origin, name string, n node) {
	if n.line > 0 {
		o.Line = n.line
	}
	if r, ok := Find(name); ok {
		l.assign(o, r, n)
		return
	}
	if name != "" && isPlanned(name) {
		if n.value != nil {
			l.warn(o.say("", "%s is known, but this version does not do it yet: it has no effect", shownName(name)))
		}
		return
	}
	if l.inside(o, name, n) {
		return
	}
	if name != "" && !isGroup(name) {
		l.wrong(unknown(o, name))
		return
	}
	l.group(o, name, n)
}

func (l *loader) group(o Origin, name string, n node) {
	entries, ok := n.value.([]entry)
	switch {
	case ok || n.value == nil:
	case name == "":
		l.wrong(o.say(`write "group:" and the keys below it, or "group.key: value"`, "settings are an object of names and values"))
	default:
		l.wrong(o.say("write its keys below it: "+strings.Join(keysOf(name), ", "), "%s is a group of settings", name))
	}
	for i, e := range entries {
		if l.full() {
			return
		}
		at := o
		if e.line > 0 {
			at.Line = e.line
		}
		full := e.key
		if name != "" {
			full = name + "." + e.key
		}
		if e.key == "" { // else it would be a second top level, which nobody looks for
			l.wrong(unknown(at, full))
			continue
		}
		same := func(before entry) bool { return before.key == e.key }
		if first := slices.IndexFunc(entries, same); first < i {
			l.wrong(at.say("put everything below the first", "%s stands here again, and in line %d", shownName(full), entries[first].line))
			continue
		}
		value := e.node
		value.line = at.Line
		l.walk(at, full, value)
	}
}

// keysOf are the keys of a group.
func keysOf(group string) []string {
	var out []string
	for _, n := range Names() {
		if key, ok := strings.CutPrefix(n, group+"."); ok {
			key, _, _ = strings.Cut(key, ".")
			out = append(out, key)
		}
	}
	return slices.Compact(out)
}

// assign sets one row, if it may be set from there.
func (l *loader) assign(o Origin, r Row, n node) {
	if n.value == nil && slices.Contains(r.Words, "null") && o.Source != FromEditor {
		n.value = "null" // YAML reads the word as nothing
	}
	if l.twice(o, r.Name) || n.value == nil {
		return
	}
	v, err := r.read(n)
	if err != nil {
		l.wrong(o.say("", "%s", err))
		return
	}
	if r.Kind == Path {
		v = absolute(v.(string), folderOf(o))
	}
	l.put(o, r, v)
}

// twice refuses a name that the same file has set before.
func (l *loader) twice(o Origin, name string) bool {
	if o.Source != FromUser && o.Source != FromWorkspace {
		return false
	}
	before, again := l.seen[name]
	if again {
		l.wrong(o.say("remove one of them", "%s is set twice, here and in line %d", name, before))
	}
	l.seen[name] = o.Line
	return again
}

func (l *loader) put(o Origin, r Row, v any) {
	if before := r.Value(l.out.Settings); l.untrusted && !reflect.DeepEqual(before, v) {
		now, ok := r.guard.judge(before, v)
		if !ok {
			l.out.Trust.Asks = append(l.out.Trust.Asks, Ask{Name: r.Name, Value: r.Format(v, nil), Origin: o})
			return
		}
		v = now
	}
	r.set(&l.out.Settings, v)
	l.out.Origins[r.Name] = o
}

// inside sets one key of an object and keeps the others: "model.profile.headers.X-Title".
func (l *loader) inside(o Origin, name string, n node) bool {
	for _, r := range Table() {
		key, below := strings.CutPrefix(name, r.Name+".")
		if !below || r.Kind != Headers && r.Kind != Object {
			continue
		}
		if l.twice(o, name) || n.value == nil {
			return true
		}
		if text, ok := n.value.(string); ok && o.Source == FromFlag && r.Kind == Object {
			if parsed, err := parseJSON([]byte(text)); err == nil {
				n = parsed
			}
		}
		v, err := r.read(node{n.line, append(othersOf(r.Value(l.out.Settings), key), entry{key, n.line, n})})
		if err != nil {
			l.wrong(o.say("", "%s", err))
			return true
		}
		l.put(o, r, v)
		return true
	}
	return false
}

// othersOf are the entries of an object but for one key.
func othersOf(object any, key string) []entry {
	var out []entry
	switch object := object.(type) {
	case map[string]string:
		for k, v := range object {
			if k != key {
				out = append(out, entry{k, 0, node{value: v}})
			}
		}
	case map[string]any:
		for k, v := range object {
			if k != key {
				out = append(out, entry{k, 0, nodeOf(v, 0)})
			}
		}
	}
	return out
}

// folderOf is where the relative paths of a source begin; "" is the process's own folder.
func folderOf(o Origin) string {
	switch o.Source {
	case FromUser, FromWorkspace:
		return filepath.Dir(o.Name)
	case FromEditor:
		return o.Name
	}
	return ""
}

// levels refuses levels of memory that do not rise.
func (l *loader) levels() {
	m := &l.out.Settings.Memory
	names := []string{"light", "medium", "heavy", "emergency"}
	for i, pair := range [][2]float64{{m.Light, m.Medium}, {m.Medium, m.Heavy}, {m.Heavy, m.Emergency}} {
		if pair[0] <= pair[1] {
			continue
		}
		low, high := "memory.compression."+names[i], "memory.compression."+names[i+1]
		o := l.out.Origin(high)
		if low := l.out.Origin(low); low.Source >= o.Source {
			o = low
		}
		l.wrong(o.say("let each level begin at or above the one before", "%s is %v and %s is %v", low, pair[0], high, pair[1]))
		*m = Default().Memory
		for _, n := range names {
			delete(l.out.Origins, "memory.compression."+n)
		}
		return
	}
}
