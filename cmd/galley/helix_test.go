package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// U59: Helix starts galley in every language that it knows, behind the language's own servers.
func TestU59HelixLanguages(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatalf("the script for Helix needs sh: %v", err)
	}
	dir := t.TempDir()
	of := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	helix := of("new.toml", `use-grammars = { except = [ "wren" ] }

[language-server]
gopls = { command = "gopls", args = [ "x" ] }

[[language]]
name = "go"
scope = "source.go"
language-servers = [ "gopls", "golangci-lint-lsp" ]
roots = ["go.mod"]

[language.auto-pairs]
'"' = '"'

[[language]]
name = "text" # nothing else
file-types = ["txt"]

[[grammar]]
name = "no-language"

[[language]]
name="erlang"
language-servers = [
  { name = "elp", except-features = ["a", "b"] },
  "erlang-ls",
] # in this order

[[language]]
name = "late"
language-servers = []
`)
	for _, row := range []struct {
		files []string
		want  string
	}{
		{[]string{helix}, `go: "gopls", "golangci-lint-lsp", "galley"|text: "galley"|erlang: { name = "elp", except-features = ["a", "b"] }, "erlang-ls", "galley"|late: "galley"`},
		{[]string{helix, of("old.toml", "[[language]]\nname = \"erlang\"\n[[language]]\nname = \"gone\"\n[[language]]\nname = \"go\"\n")}, `go: "gopls", "golangci-lint-lsp", "galley"|erlang: { name = "elp", except-features = ["a", "b"] }, "erlang-ls", "galley"`},
	} {
		out, err := exec.Command(sh, append([]string{"../../editors/helix/languages.sh"}, row.files...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := helixLanguages(string(out)); got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
	}
	shipped, err := os.ReadFile("../../editors/helix/languages.toml")
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(helixLanguages(string(shipped)), "|")
	if len(all) < 250 || strings.Count(string(shipped), "[[language]]") != len(all) {
		t.Errorf("editors/helix/languages.toml has %d languages", len(all))
	}
	for _, l := range all {
		if !strings.HasSuffix(l, `"galley"`) || strings.Count(l, "galley") != 1 {
			t.Errorf("editors/helix/languages.toml: %s", l)
		}
	}
}

func helixLanguages(toml string) string {
	var all []string
	for _, m := range regexp.MustCompile(`\n\[\[language\]\]\nname = "([^"]+)"\nlanguage-servers = \[(.*)\]\n`).FindAllStringSubmatch(toml, -1) {
		all = append(all, m[1]+": "+strings.TrimSpace(m[2]))
	}
	return strings.Join(all, "|")
}
