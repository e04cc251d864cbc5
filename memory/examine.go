package memory

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Finding is something about the working memory that somebody should look at.
type Finding struct {
	Kind string `json:"kind"`
	Path string `json:"path"`           // below working-memory/
	Line int    `json:"line,omitempty"` // 0: of the whole file
	What string `json:"what"`
}

// Kinds of findings.
const (
	FoundUnreadable    = "unreadable"
	FoundFrontMatter   = "front_matter"
	FoundTooLong       = "too_long"
	FoundDoubled       = "doubled"
	FoundContradiction = "contradiction"
	FoundGone          = "gone"
	FoundUnindexed     = "unindexed"
)

// Where a memory begins to cost more than it tells.
const (
	longLine   = 600 // code points
	longDetail = 64 << 10
)

// examination is one look at the working memory.
type examination struct {
	files    []MemoryFile
	exists   func(name string) bool // in the workspace
	findings []Finding
}

// Examine looks for what is wrong with the working memory, as its files are now, and
// changes nothing. exists tells whether the workspace has a file or folder.
func (s *Store) Examine(exists func(name string) bool) ([]Finding, error) {
	files, err := s.MemoryFiles()
	if err != nil {
		return nil, err
	}
	x := &examination{files: files, exists: exists, findings: []Finding{}}
	root, _, err := s.memoryRoot(overviewFile)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, f := range files {
		text, _, err := readIn(root, f.Path)
		switch {
		case err != nil:
			x.find(FoundUnreadable, f.Path, 0, "%v", err)
		case !readable(text):
			x.find(FoundUnreadable, f.Path, 0, "it is no UTF-8 text: save it as UTF-8")
		case f.Path == overviewFile:
			x.overview(text)
		case strings.HasPrefix(f.Path, detailDir+"/") && len(text) > longDetail:
			x.find(FoundTooLong, f.Path, 0, "it has %s: split it, or move it to %s/", size(len(text)), archiveDir)
		}
	}
	if len(files) == 0 || files[0].Path != overviewFile {
		x.find(FoundUnreadable, overviewFile, 0, "it is not there; galley makes it anew at the next request")
	}
	for i, f := range x.findings {
		x.findings[i].What = s.Mask(f.What)
	}
	return x.findings, nil
}

func (x *examination) find(kind, name string, line int, format string, args ...any) {
	x.findings = append(x.findings, Finding{kind, name, line, fmt.Sprintf(format, args...)})
}

func (x *examination) overview(text string) {
	front, body, err := splitFront(text)
	var f Front
	if err == nil {
		f, err = parseFront(front)
	}
	if err != nil {
		x.find(FoundFrontMatter, overviewFile, 1, "%v", err)
	}
	if len(text) > overviewWarnSize {
		x.find(FoundTooLong, overviewFile, 0, "it has %s, over %s: move what is not needed in each request to %s/", size(len(text)), size(overviewWarnSize), detailDir)
	}
	above := strings.Count(text[:len(text)-len(body)], "\n")
	x.lines(strings.Split(body, "\n"), above)
	for _, p := range keyPaths(f.Project.KeyPaths) {
		if !x.there(p) {
			x.find(FoundGone, overviewFile, 1, "key_paths names %s, which is not there", p)
		}
	}
	x.index(body)
}

// lines looks at what is written, entry by entry.
func (x *examination) lines(lines []string, above int) {
	said := map[string]int{}
	values := map[string]entry{}
	for _, s := range sections(lines) {
		for i := s.first; i < s.last; i++ {
			at, line := above+i+1, lines[i]
			if comment(line) || strings.EqualFold(s.heading, slotDetail) || s.heading == "" {
				continue
			}
			if n := utf8.RuneCountInString(line); n > longLine {
				x.find(FoundTooLong, overviewFile, at, "a line of %d characters", n)
			}
			if b := bare(strings.TrimSuffix(strings.TrimRight(line, "\r"), codeMark)); strings.Count(b, " ") > 1 {
				if first, known := said[b]; known {
					x.find(FoundDoubled, overviewFile, at, "it says what line %d says", first)
				} else {
					said[b] = at
				}
			}
			x.contradicts(values, line, at)
			for _, p := range pathsIn(line) {
				if !x.there(p) {
					x.find(FoundGone, overviewFile, at, "it names %s, which is not there", p)
				}
			}
		}
	}
}

func comment(line string) bool {
	l := strings.TrimSpace(line)
	return l == "" || strings.HasPrefix(l, "<!--") && strings.HasSuffix(l, "-->") || strings.HasPrefix(l, ">")
}

// entry is what an entry of the memory says something is.
type entry struct {
	value string
	line  int
}

// keyed is an entry that gives a value to something: "timeout: 30 s", "the port is 8080".
var keyed = Pattern("^\\s*[-*]\\s+(?:\\*\\*|`)?([^:=`*]{1,40}?)(?:\\*\\*|`)?\\s*(?::|=| is )\\s*(?:\\*\\*)?(.{1,60}?)\\.?\\s*$")

// contradicts tells where two entries give different values to one thing. What code wrote
// tells what happened, and gives none.
func (x *examination) contradicts(values map[string]entry, line string, at int) {
	m := keyed().FindStringSubmatch(strings.TrimRight(line, "\r"))
	if m == nil || isCode(line) {
		return
	}
	key, value := bare(m[1]), bare(m[2])
	if key == "" || strings.Count(key, " ") > 4 || value == "" {
		return
	}
	switch was, known := values[key]; {
	case !known:
		values[key] = entry{value, at}
	case was.value != value:
		x.find(FoundContradiction, overviewFile, at, "%q is another than on line %d", strings.TrimSpace(m[1]), was.line)
	}
}

var (
	inCode = Pattern("`([^`\\s]+)`|\\]\\(([^)\\s]+)\\)")
	inside = Pattern(`(?:working-memory/)?(?:detail|archive)/[\w./-]*\w`)
	atLine = Pattern(`(:\d+)+$`)
	isPath = Pattern(`^[\w.@~+-]+(/[\w.@~+-]+)*/?$`)
	suffix = Pattern(`\.[A-Za-z]\w{0,5}$`)
)

// pathsIn are the files that a line names: in backquotes, in a link, or of the memory.
func pathsIn(line string) []string {
	out := inside().FindAllString(line, -1)
	for _, m := range inCode().FindAllStringSubmatch(line, -1) {
		p := atLine().ReplaceAllString(m[1]+m[2], "")
		if isPath().MatchString(p) && (suffix().MatchString(p) || strings.HasSuffix(p, "/")) && strings.Contains(p, "/") {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// there tells whether a file that is named is there, in the memory or in the workspace.
func (x *examination) there(name string) bool {
	clean := path.Clean(filepath.ToSlash(atLine().ReplaceAllString(name, "")))
	below := strings.TrimPrefix(clean, memoryDir+"/")
	for _, f := range x.files {
		if f.Path == below || strings.HasPrefix(f.Path, below+"/") {
			return true
		}
	}
	if below == detailDir || below == archiveDir || strings.HasPrefix(name, "~") || path.IsAbs(clean) || !filepath.IsLocal(clean) {
		return true // it is not for us to say
	}
	return x.exists(clean)
}

// keyPaths are the paths of a front matter: a map with names, or a list.
func keyPaths(v any) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for _, p := range v {
			out = append(out, keyPaths(p)...)
		}
	case []any:
		for _, p := range v {
			out = append(out, keyPaths(p)...)
		}
	case string:
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// index looks for files in detail/ that the overview does not name.
func (x *examination) index(body string) {
	for _, f := range x.files {
		if strings.HasPrefix(f.Path, detailDir+"/") && !strings.Contains(body, f.Path) && !strings.Contains(body, strings.TrimPrefix(f.Path, detailDir+"/")) {
			x.find(FoundUnindexed, f.Path, 0, "overview.md does not name it: the agent does not know of it")
		}
	}
}
