package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
)

const configurationPage = "docs/configuration.md"

// The tables at the end of docs/configuration.md are made from the one table of settings.
func TestConfigurationPage(t *testing.T) {
	const mark = "TestConfigurationPage -update -->\n"
	head, rest, found := strings.Cut(readDoc(t, configurationPage), mark)
	if !found {
		t.Fatalf("%s has lost the line that the made part begins behind: %q", configurationPage, mark)
	}
	made := settingsTables()
	if *update {
		writeDoc(t, configurationPage, head+mark+made)
	} else if rest != made {
		t.Errorf("%s is not what the table of settings says; look at it, then run the test with -update:\n%s", configurationPage, made)
	}
}

func settingsTables() string {
	var b strings.Builder
	group := ""
	for _, r := range settings.Table() {
		if g := groupOf(r); g != group {
			group = g
			fmt.Fprintf(&b, "\n### %s\n\n| setting | values | default | |\n|---|---|---|---|\n", group)
		}
		about := r.Doc
		if trust := r.Trust(); trust != "" {
			about += ". *" + strings.ToUpper(trust[:1]) + trust[1:] + "*"
		}
		value := r.Format(r.Default(), nil)
		if value != "" {
			value = "`" + value + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Name, r.Values(), value, about)
	}
	return b.String()
}

// groupOf is the heading that a setting stands below; review stands by itself.
func groupOf(r settings.Row) string {
	if strings.HasPrefix(r.Name, "model.profile.") {
		return "model.profile"
	}
	group, _, _ := strings.Cut(r.Name, ".")
	return group
}

// The files of settings on the page can be read without a complaint, and choose a model that can be made.
func TestConfigurationPageExamples(t *testing.T) {
	page := readDoc(t, configurationPage)
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(examples) != 7 {
		t.Errorf("%d examples, want those of seven servers", len(examples))
	}
	for _, m := range append(examples, []string{"", strings.ReplaceAll(firstExample(setup.Starter), "#", "")}) {
		h := newSettingsHome(t)
		h.user("config.yaml", m[1])
		loaded := settings.Load(settings.Sources{Config: h.config})
		if len(loaded.Errors)+len(loaded.Warnings) > 0 || loaded.Settings.Model.Chosen() != settings.ProviderOpenAI {
			t.Errorf("%s\n%v %v", m[1], loaded.Errors, loaded.Warnings)
		}
		if lines := strings.Count(strings.TrimSpace(m[1]), "\n"); lines > 3 {
			t.Errorf("more than three lines below model:\n%s", m[1])
		}
		chosen := loaded.Settings.Model
		cfg := openai.Config{BaseURL: chosen.BaseURL, Model: chosen.Model, Profile: chosen.Profile}
		if _, err := openai.New(cfg); err != nil {
			t.Errorf("%s\n%v", m[1], err)
		}
	}
}

// firstExample are the first lines of the starting file that are settings.
func firstExample(s string) string {
	_, rest, _ := strings.Cut(s, "\n#model:")
	first, _, _ := strings.Cut("#model:"+rest, "\n\n")
	return first
}

// docs/protocol.md names the settings that matter to a client, with their words, and none that is not there.
func TestProtocolPageSettings(t *testing.T) {
	_, section, _ := strings.Cut(readDoc(t, "docs/protocol.md"), "\n## Settings\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var named []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\|").FindAllStringSubmatch(section, -1) {
		r, ok := settings.Find(m[1])
		if !ok && m[1] != "trusted" {
			t.Errorf("docs/protocol.md names the setting %s, and there is none", m[1])
		}
		named = append(named, m[1])
		for _, word := range r.Words {
			if !strings.Contains(section, "`"+word+"`") {
				t.Errorf("docs/protocol.md does not say that %s may be %q", m[1], word)
			}
		}
	}
	for _, r := range settings.Table() {
		if strings.HasPrefix(r.Name, "ui.") && !slices.Contains(named, r.Name) {
			t.Errorf("docs/protocol.md does not name %s", r.Name)
		}
	}
}
