package disk

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repository is what of a git repository a listing goes by. It is read, and git never run: the settings of a workspace
// that came from anywhere could let git start any program.
type repository struct {
	top    string // the folder of its files
	dir    string // its own .git
	common string // the one that it shares with other worktrees
	index  []string
	read   bool // the index was
}

// repositoryOf is the one with the nearest .git at or above a folder, nil if there is none.
func repositoryOf(dir string) *repository {
	for {
		if r := repositoryAt(dir); r != nil {
			return r
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
}

// repositoryAt is the one of a folder with a .git, which may be a file that says where it is.
func repositoryAt(top string) *repository {
	r := &repository{top: top, dir: filepath.Join(top, ".git")}
	info, err := os.Stat(r.dir)
	if err != nil {
		return nil
	}
	if !info.IsDir() {
		r.dir = joined(top, strings.TrimPrefix(readSome(r.dir, maxPath), "gitdir:"))
	}
	r.common = joined(r.dir, readSome(filepath.Join(r.dir, "commondir"), maxPath))
	return r
}

// joined is a path that a file of git's names, seen from a folder.
func joined(dir, path string) string {
	if path = strings.TrimSpace(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// tracks says whether git has a file, or anything of a folder, under its care.
func (r *repository) tracks(name string, dir bool) bool {
	if r == nil {
		return false
	}
	if !r.read {
		r.index, r.read = r.tracked(), true
	}
	if _, found := slices.BinarySearch(r.index, name); found || !dir {
		return found
	}
	i, _ := slices.BinarySearch(r.index, name+"/")
	return i < len(r.index) && strings.HasPrefix(r.index[i], name+"/")
}

// maxIndex bounds the list of git's files, which is read whole.
const maxIndex = 256 << 20

// tracked reads the names of the files that git has under its care.
func (r *repository) tracked() []string {
	hash := 20
	if r.setting("extensions", "objectformat") == "sha256" {
		hash = 32
	}
	names, rest := indexNames([]byte(readSome(filepath.Join(r.dir, "index"), maxIndex)), hash)
	if shared, ok := bytes.CutPrefix(rest, []byte("link")); ok && len(shared) >= 4+hash { // split in two: the larger part lies beside it
		base := filepath.Join(r.dir, "sharedindex."+hex.EncodeToString(shared[4:4+hash]))
		more, _ := indexNames([]byte(readSome(base, maxIndex)), hash)
		names = append(names, more...)
	}
	slices.Sort(names)
	return names
}

// indexNames takes the names out of an index of git's, versions 2 to 4, and answers what stands behind the entries. Of
// one that is broken it takes what can be read.
func indexNames(b []byte, hash int) (names []string, rest []byte) {
	const head, stat, extended = 12, 40, 0x4000
	if len(b) < head || string(b[:4]) != "DIRC" {
		return nil, nil
	}
	version, name := binary.BigEndian.Uint32(b[4:]), ""
	left := binary.BigEndian.Uint32(b[8:])
	for b = b[head:]; left > 0 && len(b) > stat+hash+4; left-- {
		at := stat + hash + 2
		if binary.BigEndian.Uint16(b[at-2:])&extended != 0 {
			at += 2
		}
		kept := 0
		if version == 4 { // it goes on from the name before
			cut, n := offset(b[at:])
			at, kept = at+n, max(0, len(name)-cut)
		}
		end := bytes.IndexByte(b[min(at, len(b)):], 0)
		if end < 0 {
			return names, nil
		}
		name = name[:kept] + string(b[at:at+end])
		names = append(names, name)
		size := at + end + 1
		if version < 4 {
			size = (size + 7) &^ 7
		}
		b = b[min(size, len(b)):]
	}
	return names, b
}

// offset reads a number as git packs it.
func offset(b []byte) (value, size int) {
	for i, c := range b[:min(len(b), 8)] {
		value = value<<7 + int(c&127)
		if c&128 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}

// excludes are the rules that come before those of the folders: the person's for all repositories, then this one's.
func (r *repository) excludes() []string {
	file := r.setting("core", "excludesfile")
	if file == "" {
		file = filepath.Join(configHome(), "git", "ignore")
	}
	return []string{joined(r.top, atHome(file)), filepath.Join(r.common, "info", "exclude")}
}

// setting is a value of git's configuration: the last one counts.
func (r *repository) setting(section, key string) string {
	system, own := "/etc/gitconfig", []string{filepath.Join(configHome(), "git", "config"), atHome("~/.gitconfig")}
	if named, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		own = []string{named}
	}
	system = cmp.Or(os.Getenv("GIT_CONFIG_SYSTEM"), system)
	if on := os.Getenv("GIT_CONFIG_NOSYSTEM"); on != "" && on != "0" && on != "false" {
		system = ""
	}
	value := ""
	for _, file := range append([]string{system}, append(own, filepath.Join(r.common, "config"), filepath.Join(r.dir, "config.worktree"))...) {
		gitSettings(file, 0, func(s, k, v string) {
			if s == section && k == key {
				value = v
			}
		})
	}
	return value
}

// gitSettings tells the settings of a file of git's, with those of the files that it includes without a condition.
func gitSettings(path string, depth int, tell func(section, key, value string)) {
	const deepest = 10
	if path == "" || depth > deepest {
		return
	}
	section := ""
	content := strings.NewReplacer("\\\r\n", "", "\\\n", "").Replace(readSome(path, maxRules))
	for line := range strings.Lines(strings.TrimPrefix(content, "\uFEFF")) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			name, rest, _ := strings.Cut(line[1:], "]")
			section, line = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(rest)
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), gitValue(strings.TrimSpace(value))
		tell(section, key, value)
		if section == "include" && key == "path" {
			gitSettings(joined(filepath.Dir(path), atHome(value)), depth+1, tell)
		}
	}
}

// gitValue is a value without its quotes and remarks.
func gitValue(raw string) string {
	var out strings.Builder
	quoted := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimRight(out.String(), " \t")
		case c == '\\' && i+1 < len(raw):
			i++
			out.WriteByte(raw[i])
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func configHome() string { return cmp.Or(os.Getenv("XDG_CONFIG_HOME"), atHome("~/.config")) }

// atHome puts the home folder in the place of a tilde.
func atHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// readSome reads a regular file that is no larger than it may be; "" of any other.
func readSome(path string, most int64) string {
	info, err := os.Stat(path) // not Open: a pipe would wait for a writer
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	return string(b)
}
