package settings

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/galley-ls/galley/memory"
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
	Skills   []Skill // in the order of their names
	Trust    Trust   // of the workspace
}

// Origin says where a setting's value comes from.
func (l Loaded) Origin(name string) Origin { return l.Origins[name] }

// Load reads all sources, in their order.
func Load(src Sources) Loaded {
	l := newLoader(src)
	l.userFile()
	l.workspaceFile()
	for _, said := range src.Editor {
		l.editor(said)
	}
	l.environment()
	l.flags()
	l.levels()
	l.history()
	l.money()
	l.namedPrompt()
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

func newLoader(src Sources) *loader {
	return &loader{src: src, out: Loaded{Settings: Default(), Origins: map[string]Origin{}, Prompts: Prompts{}}}
}

// mostProblems is how many a person reads. What comes behind them in a file is not looked at: it is no file of settings.
const mostProblems = 100

func (l *loader) wrong(p Problem) { l.out.Errors = append(l.out.Errors, p) }
func (l *loader) warn(p Problem)  { l.out.Warnings = append(l.out.Warnings, p) }

// full reports that there is enough to tell.
func (l *loader) full() bool { return len(l.out.Errors)+len(l.out.Warnings) >= mostProblems }

// editor takes what an editor said.
func (l *loader) editor(said any) {
	o := Origin{Source: FromEditor, Name: l.src.Workspace}
	data, err := json.Marshal(said)
	if err == nil && len(data) > mostBytes {
		err = fmt.Errorf("its settings are larger than %d KB", mostBytes>>10)
	}
	var n ast.Node
	if err == nil {
		n, err = parseJSON(data)
	}
	if err != nil {
		l.wrong(o.say("", "%s", err))
		return
	}
	l.walk(o, "", n)
}

// walk takes all that stands below a name.
func (l *loader) walk(o Origin, name string, n ast.Node) {
	if r, ok := Find(name); ok {
		l.assign(o, r, n)
		return
	}
	switch {
	case name != "" && isPlanned(name):
		if writtenKind(n) != Nothing {
			l.warn(o.say("", "%s is known, but this version does not do it yet: it has no effect", shownName(name)))
		}
	case l.inside(o, name, n):
	case name != "" && !isGroup(name):
		l.wrong(unknown(o, name))
	default:
		l.group(o, name, n)
	}
}

func (l *loader) group(o Origin, name string, n ast.Node) {
	entries, ok := entriesOf(n)
	switch {
	case ok || writtenKind(n) == Nothing:
	case name == "":
		l.wrong(o.say(`write "group:" and the keys below it, or "group.key: value"`, "settings are an object of names and values"))
	default:
		l.wrong(o.say("write its keys below it: "+strings.Join(keysOf(name), ", "), "%s is a group of settings", name))
	}
	first := map[string]int{}
	for _, e := range entries {
		if l.full() {
			return
		}
		key, at := keyOf(e), o
		if o.inFile() {
			at.Line = lineOf(e.Key)
		}
		full := key
		if name != "" {
			full = name + "." + key
		}
		if key == "" { // else it would be a second top level, which nobody looks for
			l.wrong(unknown(at, full))
			continue
		}
		if before, again := first[key]; again {
			l.wrong(at.say("put everything below the first", "%s stands here again, and in line %d", shownName(full), before))
			continue
		}
		first[key] = at.Line
		l.walk(at, full, e.Value)
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
func (l *loader) assign(o Origin, r Row, n ast.Node) {
	if writtenKind(n) == Nothing && slices.Contains(r.Words, "null") && o.Source != FromEditor {
		n, _ = r.fromText("null") // YAML reads the word as nothing
	}
	if l.twice(o, r.Name) || writtenKind(n) == Nothing {
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
	if !o.inFile() {
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
		now, ok := r.judge(before, v)
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
func (l *loader) inside(o Origin, name string, n ast.Node) bool {
	i := slices.IndexFunc(Table(), func(r Row) bool {
		return (r.Kind == Headers || r.Kind == Object) && strings.HasPrefix(name, r.Name+".")
	})
	if i < 0 {
		return false
	}
	r := Table()[i]
	if l.twice(o, name) || writtenKind(n) == Nothing {
		return true
	}
	if o.Source == FromFlag && r.Kind == Object { // its text may be JSON
		if parsed, err := parseJSON([]byte(textOf(n))); err == nil && parsed != nil {
			n = parsed
		}
	}
	key := strings.TrimPrefix(name, r.Name+".")
	v, err := r.read(ast.MappingValue(n.GetToken(), textNode(key).(ast.MapKeyNode), n))
	if err != nil {
		l.wrong(o.say("", "%s", err))
		return true
	}
	l.put(o, r, over(r.Value(l.out.Settings), v))
	return true
}

// over lays an object over another one, which may be nil.
func over(base, object any) any {
	out := reflect.MakeMap(reflect.TypeOf(object))
	for _, m := range []any{base, object} {
		if m == nil {
			continue
		}
		for key, v := range reflect.ValueOf(m).Seq2() {
			out.SetMapIndex(key, v)
		}
	}
	return out.Interface()
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

// history refuses words of memory.inject_history that say nothing.
func (l *loader) history() {
	const name = "memory.inject_history"
	if _, _, err := memory.ParseHistory(l.out.Settings.Memory.InjectHistory); err != nil {
		l.wrong(l.out.Origin(name).say("", "%s is %v", name, err))
		l.out.Settings.Memory.InjectHistory = memory.HistoryAuto
		delete(l.out.Origins, name)
	}
}

// money warns of a budget that nothing is counted for.
func (l *loader) money() {
	const name = "agent.max_cost"
	if p := l.out.Settings.Model.Price; l.out.Settings.Agent.MaxCost > 0 && p.Input == 0 && p.Output == 0 && l.out.Settings.Model.Chosen() != ProviderOffline {
		l.warn(l.out.Origin(name).say("set model.price.input and model.price.output", "%s stops nothing, since it is not known what the model costs", name))
	}
}

// levels refuses levels of memory that do not rise.
func (l *loader) levels() {
	var rows []Row
	for _, r := range Table() {
		if strings.HasPrefix(r.Name, "memory.compression.") && r.Kind == Decimal {
			rows = append(rows, r)
		}
	}
	for i, r := range rows[1:] {
		low, high := rows[i].Value(l.out.Settings).(float64), r.Value(l.out.Settings).(float64)
		if low <= high {
			continue
		}
		o := l.out.Origin(r.Name)
		if below := l.out.Origin(rows[i].Name); below.Source >= o.Source {
			o = below
		}
		l.wrong(o.say("let each level begin at or above the one before", "%s is %v and %s is %v", rows[i].Name, low, r.Name, high))
		for _, r := range rows {
			r.set(&l.out.Settings, r.Default())
			delete(l.out.Origins, r.Name)
		}
		return
	}
}
