package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// glossaryRooms are the rooms whose code and comments keep to docs/glossary.md. Tests may say what they like.
var glossaryRooms = []string{"agent", "cmd", "editing", "lsp", "memory", "tasks"}

// glossaryEntry is a row of docs/glossary.md.
type glossaryEntry struct {
	word string
	not  []string // words that are not used for it
}

func glossary(t *testing.T) (all []glossaryEntry) {
	t.Helper()
	for _, row := range regexp.MustCompile(`(?m)^\| \*\*(.+?)\*\* \| .+ \| (.*?) ?\|$`).FindAllStringSubmatch(scaffoldRead(t, "docs/glossary.md"), -1) {
		entry := glossaryEntry{word: row[1]}
		for word := range strings.SplitSeq(row[2], ", ") {
			if word != "" {
				entry.not = append(entry.not, word)
			}
		}
		all = append(all, entry)
	}
	if len(all) < 25 {
		t.Fatalf("docs/glossary.md has %d words; does its table still look as this test reads it?", len(all))
	}
	return all
}

// Each word of the glossary is used, and no word that it rules out.
func TestScaffoldGlossary(t *testing.T) {
	used := map[string]bool{}
	for _, page := range scaffoldPages(t) {
		if page != "docs/glossary.md" {
			scaffoldCount(used, scaffoldRead(t, page))
		}
	}
	var ruledOut []string
	for _, entry := range glossary(t) {
		for word := range strings.FieldsSeq(entry.word) {
			if !used[word] && !used[word+"s"] {
				t.Errorf("docs/glossary.md explains %q, and no page uses it", entry.word)
			}
		}
		ruledOut = append(ruledOut, entry.not...)
	}
	for _, page := range scaffoldPages(t) {
		found := map[string]bool{}
		scaffoldCount(found, regexp.MustCompile("`[^`\n]+`").ReplaceAllString(scaffoldRead(t, page), "")) // names may be older
		for _, word := range ruledOut {
			if found[word] && page != "docs/glossary.md" {
				t.Errorf("%s says %q; docs/glossary.md has the word for it", page, word)
			}
		}
	}
	for _, name := range arrowGoFiles(t) {
		if !slices.ContainsFunc(glossaryRooms, func(room string) bool { return arrowIn(name, room) }) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		found := map[string]bool{}
		scaffoldCount(found, regexp.MustCompile("`[^`\n]+`").ReplaceAllString(scaffoldRead(t, name), ""))
		for _, word := range ruledOut {
			if found[word] {
				t.Errorf("%s says %q; docs/glossary.md has the word for it", name, word)
			}
		}
	}
}

// scaffoldCount notes the words of a text, those within names too: editName has edit and name.
func scaffoldCount(words map[string]bool, text string) {
	for _, word := range regexp.MustCompile(`[A-Za-z]+`).FindAllString(text, -1) {
		start := 0
		for i, r := range word {
			if i > 0 && unicode.IsUpper(r) {
				words[strings.ToLower(word[start:i])], start = true, i
			}
		}
		words[strings.ToLower(word[start:])] = true
	}
}

// scaffoldPages are the pages that people read.
func scaffoldPages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(arrowRoot, "docs/*.md"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no page found: %v", err)
	}
	pages := []string{"README.md"}
	for _, name := range found {
		pages = append(pages, "docs/"+filepath.Base(name))
	}
	return pages
}

// A doc comment begins with the name that it stands above.
func TestScaffoldDocComments(t *testing.T) {
	for _, name := range arrowGoFiles(t) {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(arrowRoot, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			for names, doc := range scaffoldDocs(decl) {
				if doc != nil && !scaffoldBegins(doc.Text(), names) {
					t.Errorf("%s: the comment above %s begins %.40q…", files.Position(doc.Pos()), names, doc.Text())
				}
			}
		}
	}
}

// scaffoldDocs are the names of a declaration with the comments above them. Tests may begin as they like: they have
// sentences for names.
func scaffoldDocs(decl ast.Decl) map[string]*ast.CommentGroup {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if !regexp.MustCompile(`^(Test|Fuzz|Benchmark)`).MatchString(d.Name.Name) {
			return map[string]*ast.CommentGroup{d.Name.Name: d.Doc}
		}
	case *ast.GenDecl:
		docs := map[string]*ast.CommentGroup{}
		for _, spec := range d.Specs {
			doc := d.Doc
			if d.Lparen.IsValid() {
				doc = nil
			}
			switch s := spec.(type) {
			case *ast.TypeSpec:
				docs[s.Name.Name] = doc
				if d.Lparen.IsValid() {
					docs[s.Name.Name] = s.Doc
				}
			case *ast.ValueSpec:
				docs[s.Names[0].Name] = doc
			}
		}
		return docs
	}
	return nil
}

func scaffoldBegins(doc, name string) bool {
	for _, article := range []string{"", "A ", "An ", "The "} {
		rest, found := strings.CutPrefix(doc, article+name)
		if found && (rest == "" || !unicode.IsLetter([]rune(rest)[0])) {
			return true
		}
	}
	return doc == "" // only a directive, as //go:embed
}

// What a page or a comment names as a file is there, and no page is half merged.
func TestScaffoldNamedFiles(t *testing.T) {
	rooms := "cmd|lsp|editing|tasks|memory|agent|editors|testdata|docs"
	inPage := regexp.MustCompile("`((?:" + rooms + `)/[\w./*-]+|[\w/-]+\.go)` + "`")
	inComment := regexp.MustCompile(`(?m)//.*\b(docs/[\w-]+\.\w+)`)
	known := map[string]bool{}
	for _, name := range arrowGoFiles(t) {
		known[path.Base(name)] = true
	}
	check := func(where, named string) {
		found, err := filepath.Glob(filepath.Join(arrowRoot, strings.TrimSuffix(named, ".")))
		if (err != nil || len(found) == 0) && !(known[named] && !strings.Contains(named, "/")) {
			t.Errorf("%s names %s, and there is no such file", where, named)
		}
	}
	merged := regexp.MustCompile(`(?m)^(?:<{7}|={7}|>{7})(?: |$)`)
	for _, page := range append(scaffoldPages(t), "CHANGELOG.md") {
		if at := merged.FindString(scaffoldRead(t, page)); at != "" {
			t.Errorf("%s has %q of a merge in it", page, at)
		}
		for _, m := range inPage.FindAllStringSubmatch(scaffoldRead(t, page), -1) {
			check(page, m[1])
		}
	}
	for _, name := range arrowGoFiles(t) {
		for _, m := range inComment.FindAllStringSubmatch(scaffoldRead(t, name), -1) {
			check(name, m[1])
		}
	}
}
