package openai

import (
	"regexp"
	"strings"
)

// server is one row of the table: what is known about a kind of server. A row without a profile is there for the hints
// in errors.
type server struct {
	name    string
	fits    func(a address) bool
	profile Profile
}

func at(domains ...string) func(address) bool {
	return func(a address) bool {
		for _, d := range domains {
			if a.under(d) {
				return true
			}
		}
		return false
	}
}

func localPort(port string) func(address) bool {
	return func(a address) bool { return a.local() && a.port() == port }
}

// azureVersion is the newest api-version of Azure's deployments that is no preview.
const azureVersion = "2024-10-21"

const (
	rowOllama   = "Ollama"
	rowLMStudio = "LM Studio"
	rowLlamaCPP = "llama.cpp"
	rowVLLM     = "vLLM"
)

// servers is the table. It holds what is known to be needed; everything else a refusal teaches.
func servers() []server {
	yes, no := true, false
	return []server{
		{name: "OpenAI", fits: at("api.openai.com"), profile: Profile{MaxTokensField: fieldMaxCompletion}},
		{
			name: "Azure",
			fits: func(a address) bool {
				return at("openai.azure.com", "cognitiveservices.azure.com")(a) && !strings.HasSuffix(a.path, "/v1")
			},
			profile: Profile{API: apiAzure},
		},
		// addresses of the newer kind, …/openai/v1, are like OpenAI's
		{name: "Azure v1", fits: at("openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com"), profile: Profile{MaxTokensField: fieldMaxCompletion}},
		{name: "OpenRouter", fits: at("openrouter.ai")},
		// it answers 400 where a reply that called tools comes back without its thoughts, in older turns too; and a text
		// of the user behind a result would end the loop whose thoughts it goes on with
		{name: "DeepSeek", fits: at("deepseek.com"), profile: Profile{EchoReasoning: echoContent, EchoScope: echoAll, StrictTurns: &yes}},
		{name: "Moonshot", fits: at("moonshot.ai", "moonshot.cn", "kimi.com"), profile: Profile{EchoReasoning: echoContent, EchoScope: echoAll}},
		// it refuses fields that it does not know, counts tokens unasked, and wants ids of nine letters and digits
		{name: "Mistral", fits: at("mistral.ai"), profile: Profile{ToolIDs: idsAlnum9, StrictTurns: &yes, StreamUsage: &no}},
		{name: "Gemini", fits: at("generativelanguage.googleapis.com")},
		{name: "Groq", fits: at("groq.com")},
		{name: "Together", fits: at("together.xyz", "together.ai")},
		{name: "xAI", fits: at("x.ai")},
		{name: "Anthropic", fits: at("anthropic.com")},
		// both refuse null where a reply has no text: so "" stands here, although it is the default
		{name: rowOllama, fits: func(a address) bool { return a.port() == "11434" || a.under("ollama.com") }, profile: Profile{ToolOnlyContent: contentEmpty}},
		{name: rowLMStudio, fits: localPort("1234"), profile: Profile{ToolOnlyContent: contentEmpty}},
		{name: rowLlamaCPP, fits: localPort("8080")},
		{name: rowVLLM, fits: localPort("8000")},
	}
}

// reasoning finds OpenAI's reasoning models, which take no temperature and know the system prompt as developer's.
var reasoning = regexp.MustCompile(`^(o[1-9]|gpt-[5-9])`)

// ProfileFor is what the table knows about a server and a model, and the name of its row; "" if it has none.
func ProfileFor(baseURL, model string) (Profile, string) {
	a, err := parseAddress(baseURL)
	if err != nil {
		return Profile{}, ""
	}
	for _, s := range servers() {
		if !s.fits(a) {
			continue
		}
		thinks := reasoning.MatchString(strings.ToLower(model)) && !strings.Contains(model, "-chat")
		if thinks && (s.name == "OpenAI" || strings.HasPrefix(s.name, "Azure")) {
			no := false
			p := Profile{SystemRole: roleDeveloper, MaxTokensField: fieldMaxCompletion, Temperature: &no}
			return p.over(s.profile), s.name + ", reasoning model"
		}
		return s.profile, s.name
	}
	return Profile{}, ""
}
