package offline

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, row := range []struct{ name, prompt, want string }{
		{"replace", `replace "a" with "b" in f`, `replace "a" with "b" in f`},
		{"keywords in any case", `REPLACE "a" With "b" IN f`, `replace "a" with "b" in f`},
		{"no file: the tool's default", `replace "a" with "b"`, `replace "a" with "b"`},
		{"empty new text", `replace "a" with "" in f`, `replace "a" with "" in f`},
		{"empty old text is the tool's to judge", `replace "" with "x" in f`, `replace "" with "x" in f`},
		{"after", `replace "a" with "b" in f after "# api"`, `replace "a" with "b" in f after "# api"`},
		{"clauses in any order", `replace "a" because "r" after "x" everywhere in f with "b"`, `replace "a" with "b" in f after "x" everywhere because "r"`},
		{"before", `replace "a" with "b" in f before "x"`, `replace "a" with "b" in f before "x"`},
		{"everywhere", `replace "a" with "b" in f everywhere`, `replace "a" with "b" in f everywhere`},
		{"because", `replace "a" with "b" in f because "it is newer"`, `replace "a" with "b" in f because "it is newer"`},
		{"pick", `pick B`, `pick B`},
		{"pick in lower case", `pick b`, `pick B`},
		{"pick several", `pick A, C and D`, `pick A, C, D`},
		{"pick without blanks", `pick A,C`, `pick A, C`},
		{"pick one after the other", `pick A then pick B`, `pick A then pick B`},
		{"pick with and then", `pick A and then commit`, `pick A then commit`},
		{"pick all", `pick ALL`, `pick all`},
		{"delete", `delete "x\n" in f`, `delete "x\n" in f`},
		{"delete everywhere", `delete "x" in f everywhere because "unused"`, `delete "x" in f everywhere because "unused"`},
		{"delete a file", `delete config.json`, `delete file config.json`},
		{"delete a file with blanks", `delete file "my notes.md" because "old"`, `delete file "my notes.md" because "old"`},
		{"create", `create a/b.txt with 'x'`, `create a/b.txt with "x"`},
		{"create empty", `Create f with "" because "later"`, `create f with "" because "later"`},
		{"rename", `rename a.txt to "b c.txt" because "x"`, `rename a.txt to "b c.txt" because "x"`},
		{"append", `append "x" to f`, `append "x" to f`},
		{"append after, both orders", "append \"x\" after \"## H\" to f\nappend \"x\" to f after \"## H\"", `append "x" to f after "## H" then append "x" to f after "## H"`},
		{"read", `read src/main.go`, `read src/main.go`},
		{"read hidden file", `read .gitignore`, `read .gitignore`},
		{"file with blanks", `read "my notes.md"`, `read "my notes.md"`},
		{"file like a keyword", `read "then"`, `read "then"`},
		{"file with an apostrophe", `read it's.md`, `read "it's.md"`},
		{"file called like a verb", `read commit`, `read commit`},
		{"memory file", `read working-memory/overview.md`, `read working-memory/overview.md`},
		{"search", `search "time out"`, `search "time out"`},
		{"search one word", `search timeout in f`, `search "timeout" in f`},
		{"list", `list`, `list`},
		{"list glob", `list **/*.go`, `list **/*.go`},
		{"list glob with braces", `list *.{go,md}`, `list "*.{go,md}"`},
		{"list then", `list then preview`, `list then preview`},
		{"preview", `preview`, `preview`},
		{"task", `task "enable X"`, `task "enable X"`},
		{"commit", `commit`, `commit`},
		{"commit summary", `commit "done"`, `commit "done"`},
		{"commit with decision", `commit "done" because "60 is enough"`, `commit "done" because "60 is enough"`},
		{"commit auto", `commit auto`, `commit auto`},
		{"revert", `revert "wrong"`, `revert "wrong"`},
		{"drop", `drop a because "wrong"`, `drop A because "wrong"`},
		{"U86 a remark", "delete \"x\\n\" in f\n(that is the comment in f, line 3, which asks:)\nread g", `delete "x\n" in f then read g`},
		{"U86 a remark first", "(so it is)\nread g", `read g`},
		{"U86 a remark last", "read g\n  (so it's said \" ) \n", `read g`},
		{"U86 no remark in a text", "append \"\n(x)\n\" to f", `append "\n(x)\n" to f`},
		{"then", `read f THEN read g`, `read f then read g`},
		{"then on the next line", "read f\nthen read g", `read f then read g`},
		{"and then", `read f and then read g`, `read f then read g`},
		{"lines", "read f\n\n  read g\n", `read f then read g`},
		{"CRLF", "read f\r\nread g\r\n", `read f then read g`},
		{"then and a line", "read f then\nread g", `read f then read g`},
		{"clause on the next line", "replace \"a\"\n  with \"b\"\n  in f\ncommit", `replace "a" with "b" in f then commit`},
		{"numbered plan", "1. read f\n2) commit\n- preview\n* list", `read f then commit then preview then list`},
		{"please and full stops", `Please read f. Then read "g". `, `read f then read g`},
		{"two full stops stay", `list ..`, `list ".."`},
		{"byte order mark and odd blanks", "\ufeffread\u00a0f\u3000", `read f`},
		{"escapes", `append "a\n\t\"\\\d\r" to f`, `append "a\n\t\"\\\\d\r" to f`},
		{"single quotes have none", `append 'a\n"b"' to f`, `append "a\\n\"b\"" to f`},
		{"apostrophe inside", `append 'don't' to f`, `append "don't" to f`},
		{"backticks", "append `a\"b` to f", `append "a\"b" to f`},
		{"curly quotes", `replace “a "b"” with ‘c’ in f`, `replace "a \"b\"" with "c" in f`},
		{"curly apostrophe inside", `append ‘don’t’ to f`, `append "don’t" to f`},
		{"German quotes", `replace „a“ with ‚b‘ in f`, `replace "a" with "b" in f`},
		{"Swedish quotes", `append ”a” to f`, `append "a" to f`},
		{"guillemets", `replace «a» with »b« in f`, `replace "a" with "b" in f`},
		{"corner brackets", `replace 「a」 with 『b』 in ファイル.md`, `replace "a" with "b" in ファイル.md`},
		{"no blanks around quotes", `replace"a"with"b"in f`, `replace "a" with "b" in f`},
		{"text over lines", "append \"a\nb\" to f", `append "a\nb" to f`},
		{"text over CRLF lines", "append \"a\r\nb\" to f", `append "a\nb" to f`},
		{"emoji and combining marks", `replace "😀é" with "👍🏽" in f`, `replace "😀é" with "👍🏽" in f`},
		{"stray bytes", "append \"a\xffb\" to f", "append \"a\xffb\" to f"},
		{"then inside quotes", `append "first then second" to f then commit`, `append "first then second" to f then commit`},
	} {
		t.Run(row.name, func(t *testing.T) { checkParse(t, row.prompt, row.want) })
	}
}

// checkParse wants the prompt's canonical form, and that this form means the same; an empty want is an error.
func checkParse(t *testing.T, prompt, want string) {
	t.Helper()
	program, err := Parse(prompt)
	if want == "" {
		if err == nil {
			t.Fatalf("Parse(%q) = %s, want an error", prompt, program)
		}
		return
	}
	if err != nil {
		t.Fatalf("Parse(%q): %v", prompt, err)
	}
	if got := program.String(); got != want {
		t.Errorf("Parse(%q)\n got %s\nwant %s", prompt, got, want)
	}
	checkStable(t, program)
}

func checkStable(t *testing.T, program Program) {
	t.Helper()
	again, err := Parse(program.String())
	if err != nil {
		t.Fatalf("the printed program %q does not parse: %v", program, err)
	}
	if !reflect.DeepEqual(again, program) {
		t.Errorf("printed and parsed again:\n got %#v\nwant %#v", again, program)
	}
}

func TestParseErrors(t *testing.T) {
	for _, row := range []struct {
		name, prompt string
		line, column int
		words        string
		problem      string // a part of it
		form         string // whose form is shown
	}{
		{"nothing", " \n ", 2, 2, "", "no instruction", "replace"},
		{"prose", "Could you make the tests pass?", 1, 1, "Could", "a step begins with", ""},
		{"typing error", `replcae "a" with "b" in f`, 1, 1, "replcae", "a step begins with", "replace"},
		{"synonym", `change "a" to "b"`, 1, 1, "change", "a step begins with", "replace"},
		{"verb of a later day", `format f`, 1, 1, "format", "a step begins with", ""},
		{"create without text", `create f`, 1, 9, "", `with "…" is missing`, "create"},
		{"create a text", `create "" with "x"`, 1, 8, `""`, "empty name", "create"},
		{"rename without a name", `rename f`, 1, 9, "", "to FILE is missing", "rename"},
		{"rename to nothing", `rename f to`, 1, 12, "", "the new name is missing", "rename"},
		{"rename with a text", `rename f with "x"`, 1, 10, "with", "does not go with rename", "rename"},
		{"second line", "read f\n  foo bar", 2, 3, "foo", "a step begins with", ""},
		{"column counts characters", `read "é😀" oops`, 1, 11, "oops", "does not belong", "read"},
		{"quotes missing", `replace foo with "b" in f`, 1, 9, "foo", "belongs in quotes", "replace"},
		{"new text missing", `replace "a" with in f`, 1, 18, "in", "the new text is missing", "replace"},
		{"with missing", `replace "a" in f`, 1, 17, "", `with "…" is missing`, "replace"},
		{"file missing", `replace "a" with "b" in then commit`, 1, 25, "then", "file behind in is missing", "replace"},
		{"file empty", `read ""`, 1, 6, `""`, "empty name", "read"},
		{"read what", `read`, 1, 5, "", "a file is missing", "read"},
		{"clause twice", `replace "a" with "b" with "c" in f`, 1, 22, "with", "twice", "replace"},
		{"clause of another verb", `append "a" to f everywhere`, 1, 17, "everywhere", "does not go with append", "append"},
		{"comma", `read f, commit`, 1, 7, ",", "joined by then", "read"},
		{"semicolon", `read f; commit`, 1, 7, ";", "joined by then", "read"},
		{"and alone", `read f and commit`, 1, 12, "commit", "joined by then", "read"},
		{"steps in one line", `preview commit`, 1, 9, "commit", "joined by then", "preview"},
		{"then at the end", `read f then`, 1, 12, "", "missing behind then", "read"},
		{"then then", `read f then then list`, 1, 13, "then", "a step begins with", ""},
		{"quote not closed", `replace "a" with "b in f`, 1, 18, `"b in f`, "never closed", "replace"},
		{"quote closed by another", `append “a" to f`, 1, 8, `“a" to f`, "never closed", "append"},
		{"pick what", `pick`, 1, 5, "", "letter of a candidate is missing", "pick"},
		{"pick a number", `pick 2`, 1, 6, "2", "A to Z", "pick"},
		{"pick all and more", `pick A, all`, 1, 9, "all", "either letters or all", "pick"},
		{"pick and verb", `pick A and commit`, 1, 12, "commit", "letter of a candidate is missing", "pick"},
		{"drop two", `drop A,B because "x"`, 1, 6, "A,B", "one letter at a time", "drop"},
		{"drop without reason", `drop A`, 1, 7, "", `because "…" is missing`, "drop"},
		{"revert without reason", `revert`, 1, 7, "", `the reason is missing here, in quotes`, "revert"},
		{"revert with a clause", `revert because "x"`, 1, 8, "because", "the reason is missing", "revert"},
		{"empty reason", `revert ""`, 1, 8, `""`, "empty", "revert"},
		{"empty goal", `task ""`, 1, 6, `""`, "empty", "task"},
		{"commit without quotes", `commit everything`, 1, 8, "everything", "does not belong", "commit"},
		{"commit auto with summary", `commit auto "x"`, 1, 13, `"x"`, "does not belong", "commit auto"},
		{"delete a file in a file", `delete a in b`, 1, 10, "in", "does not go with delete", "delete file"},
		{"delete a file behind a text", `delete a after "x"`, 1, 10, "after", "does not go with delete", "delete file"},
		{"delete what", `delete`, 1, 7, "", "the text to delete is missing", "delete"},
		{"delete which file", `delete file then commit`, 1, 13, "then", "a file is missing", "delete file"},
		{"append nothing", `append "" to f`, 1, 8, `""`, "empty", "append"},
		{"a text as a step", `"a"`, 1, 1, `"a"`, "a step begins with", ""},
		{"search nothing", `search then list`, 1, 8, "then", "missing", "search"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := Parse(row.prompt)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("Parse(%q) gave no *Error: %v", row.prompt, err)
			}
			if e.Line != row.line || e.Column != row.column || e.Words != row.words {
				t.Errorf("at %d:%d %q, want %d:%d %q", e.Line, e.Column, e.Words, row.line, row.column, row.words)
			}
			if !strings.Contains(e.Problem, row.problem) {
				t.Errorf("problem %q, want %q", e.Problem, row.problem)
			}
			if row.form == "" && e.Form != "" || !strings.HasPrefix(e.Form, row.form) {
				t.Errorf("form %q, want that of %q", e.Form, row.form)
			}
		})
	}
}

// The forms, their examples and the page that people read are the same.
func TestGrammarPage(t *testing.T) {
	page, err := os.ReadFile("grammar.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		program, err := Parse(f.example)
		if err != nil || program[0].form != f {
			t.Errorf("the example %s is read as %v, %v", f.example, program, err)
		}
		if row := "- `" + f.shape() + "`\n"; !strings.Contains(string(page), row) || !strings.Contains(string(page), "`"+f.example+"`\n") {
			t.Errorf("grammar.md lacks the form or the example:\n%s  — `%s`", row, f.example)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, form := range forms {
		f.Add(form.example)
	}
	f.Add("1. replace\n`a`\nwith “b” in 'x y'. Then pick A, b and C\r\ncommit 'don't'")
	f.Add("append `md\n` to \"\\\\\\n\" after «x» and then drop Z because „y“")
	f.Fuzz(func(t *testing.T, prompt string) {
		program, err := Parse(prompt)
		if err != nil {
			if program != nil {
				t.Errorf("steps %v beside the error %v", program, err)
			}
			return
		}
		checkStable(t, program)
		if again, _ := Parse(program.String()); again.String() != program.String() {
			t.Errorf("printed twice: %q and %q", program, again)
		}
	})
}
