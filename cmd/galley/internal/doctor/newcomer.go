package doctor

import (
	"context"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
)

const (
	ollamaPort = "11434"

	// openAIModel is proposed to who has a key of OpenAI.
	openAIModel = "gpt-5-mini"
)

// ollamaModels are models of Ollama that call tools well, the best to begin with first. Where several are there, the
// first is proposed; where none is, one to pull.
var ollamaModels = []string{
	"qwen3-coder", "gpt-oss", "qwen3", "devstral", "mistral-small", "qwen2.5-coder", "llama3.3", "qwen2.5", "llama3.1", "granite",
}

// ollamaPull is the model that somebody without any is told to get.
const ollamaPull = "qwen3:8b"

// newcomer tells who has configured no model how to get one, with the servers that there are.
func (d *doctor) newcomer(ctx context.Context) {
	var next strings.Builder
	base := ollamaURL(d.env("OLLAMA_HOST"))
	found, err := d.ollama(ctx, base)
	key := d.env(settings.DefaultKeyEnv) != ""
	file := d.userFile()
	switch name := proposed(found); {
	case err != nil && !key:
		next.WriteString("with Ollama (https://ollama.com): ollama pull " + ollamaPull + ", and these lines in " + file + ":\n" +
			modelLines(base, ollamaPull) + "with a key of OpenAI in " + settings.DefaultKeyEnv + ":\n" + modelLines("", openAIModel))
	case err == nil && name == "":
		next.WriteString("Ollama answers at " + base + " and has no model that is known to call tools: ollama pull " + ollamaPull +
			", and these lines in " + file + ":\n" + modelLines(base, ollamaPull))
	case err == nil:
		next.WriteString("Ollama answers at " + base + ", with " + namesOf(found) + ": put these lines into " + file + "\n" + modelLines(base, name))
	}
	if key {
		next.WriteString(settings.DefaultKeyEnv + " is set: to use OpenAI put these lines into " + file + "\n" + modelLines("", openAIModel))
	}
	next.WriteString("then run galley doctor again")
	d.look(next.String(), "the offline model is in use: built in, no network, and no language model; it understands plain instructions")
}

// ollama asks a server of Ollama for its models, unless no server is to be asked.
func (d *doctor) ollama(ctx context.Context, base string) ([]string, error) {
	if d.Offline {
		return nil, errOffline
	}
	m, err := openai.New(openai.Config{BaseURL: base, Model: "any", Tries: 1})
	if err != nil {
		return nil, err
	}
	d.spin.Show(term.Begin("looking for Ollama at "+base), 0)
	defer d.spin.Hide()
	ctx, cancel := context.WithTimeout(ctx, d.patient.answer)
	defer cancel()
	return m.Models(ctx)
}

// ollamaURL is where Ollama is, as OLLAMA_HOST says it, or as usual.
func ollamaURL(host string) string {
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	u, err := url.Parse(host)
	if err != nil {
		u = &url.URL{Scheme: "http"}
	}
	name, port := u.Hostname(), u.Port()
	if ip := net.ParseIP(name); name == "" || ip != nil && ip.IsUnspecified() { // where it listens, not where it is
		name = "localhost"
	}
	if port == "" {
		port = ollamaPort
	}
	return u.Scheme + "://" + net.JoinHostPort(name, port) + "/v1"
}

// proposed is the model to begin with of those that are there, "" if none is known to be any good.
func proposed(models []string) string {
	for _, good := range ollamaModels {
		for _, m := range slices.Sorted(slices.Values(models)) {
			if strings.HasPrefix(m, good) && !strings.Contains(m, "embed") {
				return m
			}
		}
	}
	return ""
}

// modelLines are the lines of a settings file that choose a model.
func modelLines(base, name string) string {
	lines := "  model:\n"
	if base != "" {
		lines += "    base_url: " + base + "\n"
	}
	return lines + "    model: " + name + "\n"
}

// namesOf lists some models.
func namesOf(models []string) string {
	const most = 5
	if len(models) <= most {
		return strings.Join(models, ", ")
	}
	return strings.Join(models[:most], ", ") + " and " + text.Plural(len(models)-most, "other")
}
