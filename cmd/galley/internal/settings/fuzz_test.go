package settings

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/goccy/go-yaml/ast"
)

// Whatever stands in a file: no panic, no long wait, problems of one line, and settings that the program can work with.
func FuzzFile(f *testing.F) {
	for _, s := range []string{
		"", "model:\n  base_url: http://x/v1\n  profile: {headers: {a: b}}\n", "a: &a [*a]", "? x\n: y", "- - - -", "!!str a: b", "\"\\x\"", "a: |\n b",
		"{\"model\": {\"temperature\": 1e400}}", "tools: {deny: [a, [b], {}]}", "model.profile.extra_body.a.b: 1\n", "%YAML 1.2\n---\n", "ui:\n\ticons: 1",
		"memory.compression: {light: .9}", "<<: {a: b}", "a: .nan", "a: 0x_", "\xef\xbb\xbf---\n...\n", "review: auto\nreview: ask", asksAll,
		"a: [\x1b[31m", "a\x1b: \u009b", "ui: {icons: \"\\e[31m\"}", "\"\\e\": 1", "tools.run_command: \"\\e\"", "model.profile.headers: {\"\\e\": 1}", "\"\": {review: auto}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > mostBytes {
			return
		}
		for _, parse := range []func([]byte) (ast.Node, error){parseYAML, parseJSON} {
			began := time.Now()
			n, err := parse(data)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
			if err != nil {
				if strings.ContainsFunc(err.Error(), unicode.IsControl) || !strings.HasPrefix(err.Error(), "line ") {
					t.Errorf("%q", err)
				}
				continue
			}
			l := newLoader(Sources{})
			l.untrusted = true
			l.file(document{origin: Origin{Source: FromWorkspace, Name: "/w/.galley/config.yaml"}, node: n})
			l.levels()
			checkLoaded(t, l.out)
		}
	})
}

func checkLoaded(t *testing.T, l Loaded) {
	t.Helper()
	for _, p := range append(l.Errors, l.Warnings...) {
		if line := p.String(); strings.ContainsFunc(line, unicode.IsControl) || len(line) > 1000 {
			t.Errorf("a problem of %d bytes: %q", len(line), line)
		}
	}
	for _, r := range Table() {
		v := r.Value(l.Settings)
		if _, err := r.read(node(t, jsonText(plainValue(v)))); err != nil && v != nil && v != "" {
			t.Errorf("%s is %v: %v", r.Name, v, err)
		}
		now, ok := r.judge(r.Default(), v)
		if (!ok || r.Format(now, nil) != r.Format(v, nil)) && r.Format(v, nil) != r.Format(r.Default(), nil) {
			t.Errorf("an untrusted workspace set %s to %v", r.Name, v)
		}
	}
}

// No SKILL.md makes its reading stumble.
func FuzzSkillHead(f *testing.F) {
	for _, text := range []string{
		"---\nname: a\ndescription: b\n---\n", "---\n&a [*a, {? x: !!y z}]\n---\n", "---\nname: {5: x}\n---", "\ufeff---\r\nname: |\r\n  a\r\n---\r\n", "---\n- 5: a\n---\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if head, err := skillHead(text); err == nil && !strings.Contains(text, "---") {
			t.Fatalf("%+v of %q", head, text)
		}
	})
}
