package openai

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/galley-ls/galley/memory"
)

//go:embed servers.txt
var serversText string

// azureVersion is the newest api-version of Azure's deployments that is no preview.
const azureVersion = "2024-10-21"

// servers is the table, its first row the defaults.
var servers = sync.OnceValue(func() []section { return readSections(serversText) })

func defaults() Profile { return servers()[0].profile("profile") }

// rowNamed is the row of a name; the defaults have what no row has.
func rowNamed(name string) section {
	name, _, _ = strings.Cut(name, ", ")
	return servers()[max(0, slices.IndexFunc(servers(), func(s section) bool { return s.name == name }))]
}

// fits tells whether a row is about an address.
func (s section) fits(a address) bool {
	if but := s.text("but", nil); but != "" && strings.HasSuffix(a.path, but) {
		return false
	}
	return s.text("port", nil) == a.port() || s.text("local port", nil) == a.port() && a.local() ||
		slices.ContainsFunc(strings.Fields(s.text("at", nil)), a.under)
}

// reasoning finds OpenAI's reasoning models by their names.
var reasoning = memory.Pattern(`^(o[1-9]|gpt-[5-9])`)

// ProfileFor is what the table knows about a server and a model, and the name of its row; "" if it has none.
func ProfileFor(baseURL, model string) (Profile, string) {
	a, err := parseAddress(baseURL)
	if err != nil {
		return Profile{}, ""
	}
	rows := servers()
	i := slices.IndexFunc(rows, func(s section) bool { return s.fits(a) })
	if i < 0 {
		return Profile{}, ""
	}
	thinks := reasoning().MatchString(strings.ToLower(model)) && !strings.Contains(model, "-chat")
	if thinks && rows[i].texts("reasoning") != nil {
		return rows[i].profile("reasoning").over(rows[i].profile("profile")), rows[i].name + ", reasoning model"
	}
	return rows[i].profile("profile"), rows[i].name
}
