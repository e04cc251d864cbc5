package memory

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The detail index names so many files of a folder at most, the newest.
const (
	mostDetail  = 40
	mostArchive = 10
	// mostListed bounds the walk through both.
	mostListed = 5000
)

// Folders of the working memory beside overview.md.
const (
	detailDir  = "detail"
	archiveDir = "archive"
)

// listedFile is a file of the working memory beside overview.md.
type listedFile struct {
	name    string // below working-memory/
	size    int64
	changed time.Time
}

// titledFile is what is known of a file that is indexed.
type titledFile struct {
	listedFile
	title string
}

// listed are the files of detail/ or archive/, in the order of their names.
func listed(root *os.Root, folder string) []listedFile {
	var all []listedFile
	// what cannot be looked at is not there for us
	_ = fs.WalkDir(root.FS(), folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case len(all) >= mostListed:
			return fs.SkipAll
		case err != nil:
			return nil
		case strings.HasPrefix(d.Name(), "."): // files that are being written, too
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			all = append(all, listedFile{name, info.Size(), info.ModTime()})
		}
		return nil
	})
	return all
}

// indexed are the lines of the detail index as the folders have it now.
func (s *Store) indexed(root *os.Root) []string {
	was := s.upkeep.titles
	s.upkeep.titles = map[string]titledFile{}
	var lines []string
	for _, folder := range []struct {
		name string
		most int
	}{{detailDir, mostDetail}, {archiveDir, mostArchive}} {
		files := listed(root, folder.name)
		newest := slices.SortedStableFunc(slices.Values(files), func(a, b listedFile) int { return b.changed.Compare(a.changed) })
		shown := newest[:min(folder.most, len(newest))]
		slices.SortFunc(shown, func(a, b listedFile) int { return cmp.Compare(a.name, b.name) })
		for _, f := range shown {
			known, ok := was[f.name]
			if !ok || known.listedFile != f {
				known = titledFile{f, titleOf(root, f.name)}
			}
			s.upkeep.titles[f.name] = known
			lines = append(lines, oneLine(f.name)+indexDash+known.title)
		}
		if more := len(files) - len(shown); more > 0 {
			lines = append(lines, fmt.Sprintf("%s/%s%d older files are not listed", folder.name, indexDash, more))
		}
	}
	return lines
}

// indexDash stands between a file and what it holds.
const indexDash = " — "

// titleOf is the first line of a file, as far as it is text.
func titleOf(root *os.Root, name string) string {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "(cannot be read)"
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 4<<10))
	switch {
	case err != nil || !readable(string(head)):
		return "(no text)"
	}
	const most = 80
	r := []rune(oneLine(firstLine(string(head))))
	switch {
	case len(r) == 0:
		return "(empty)"
	case len(r) > most:
		return string(r[:most-1]) + "…"
	}
	return string(r)
}

// setIndex brings code's lines of the detail index up to date. A file that somebody
// else's line there names needs none.
func setIndex(body string, want []string) string {
	lines := strings.Split(body, "\n")
	s, found := sectionOf(lines, slotDetail)
	var prose, own []string
	for _, l := range lines[s.first:s.last] {
		if found && isCode(l) {
			own = append(own, strings.TrimRight(l, "\r"))
		} else if found {
			prose = append(prose, l)
		}
	}
	all := strings.Join(prose, "\n")
	var fresh []string
	for _, w := range want {
		if file, _, _ := strings.Cut(w, indexDash); strings.HasSuffix(file, "/") || !strings.Contains(all, file) {
			fresh = append(fresh, "- "+oneLine(w)+codeMark)
		}
	}
	switch {
	case slices.Equal(own, fresh):
		return body
	case !found:
		for _, l := range fresh {
			body = addMarked(body, slotDetail, l)
		}
		return body
	}
	cr := strings.TrimSuffix(eolOf(body), "\n")
	for i := range fresh {
		fresh[i] += cr
	}
	written := trimBlank(prose)
	blanks := prose[len(written):]
	if len(blanks) == 0 {
		blanks = []string{""}
	}
	return strings.Join(slices.Concat(lines[:s.first], written, fresh, blanks, lines[s.last:]), "\n")
}
