package openaitest

import (
	"net/http"
	"strings"
)

// httpFaults are answers with another status than 200.
func httpFaults() []Fault {
	busy := "Rate limit reached for requests. Please try again in 1s."
	loading := object{"error": object{"code": 503, "message": "Loading model", "type": "unavailable_error"}}
	return slicesOf(
		[]Fault{
			status("http_429_retry_after", Retried, "429 with Retry-After in seconds", func(*ask) *answer {
				return openAIError(429, "requests", "rate_limit_exceeded", "", busy).with("Retry-After", "1")
			}),
			status("http_429_ms", Retried, "429 with retry-after-ms (OpenAI, Azure)", func(*ask) *answer {
				return openAIError(429, "requests", "rate_limit_exceeded", "", busy).with("Retry-After-Ms", "20")
			}),
			status("http_429_date", Retried, "429 with Retry-After as a date that has passed", func(*ask) *answer {
				return openAIError(429, "requests", "rate_limit_exceeded", "", busy).with("Retry-After", "Thu, 01 Jan 2026 00:00:00 GMT")
			}),
			status("http_429_plain", Retried, "429 with no word about when, as text", func(*ask) *answer {
				return textAnswer(429, "text/plain", "Too Many Requests\n")
			}),
			status("http_429_delay", Retried, "429 with the delay in the body, in a list (Gemini)", func(*ask) *answer {
				return jsonAnswer(429, []any{object{"error": object{
					"code": 429, "message": "Resource has been exhausted (e.g. check quota).", "status": "RESOURCE_EXHAUSTED",
					"details": []any{object{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1s"}},
				}}})
			}),
			status("http_429_quota", Failing, "429 that no waiting mends: the account has no credit", func(*ask) *answer {
				return openAIError(429, "insufficient_quota", "insufficient_quota", "", "You exceeded your current quota, please check your plan and billing details.")
			}),
			status("http_429_tomorrow", Failing, "429 with a Retry-After of a day", func(*ask) *answer {
				return openAIError(429, "tokens", "rate_limit_exceeded", "", "Daily limit reached.").with("Retry-After", "86400")
			}).forever(),
			status("http_408", Retried, "408, the server waited too long", func(*ask) *answer {
				return openAIError(408, "timeout", "", "", "Request timed out.")
			}),
			status("http_409", Retried, "409, the resource was locked", func(*ask) *answer {
				return openAIError(409, "conflict", "", "", "Another request is being processed.")
			}),
			status("http_500", Retried, "500 in OpenAI's shape", func(*ask) *answer { return openAIError(500, "server_error", "", "", serverSays) }),
			status("http_502", Retried, "502 with nginx's page", func(*ask) *answer { return nginx(502, "Bad Gateway") }),
			status("http_503", Retried, "503 while the model is loaded (llama.cpp)", func(*ask) *answer { return jsonAnswer(503, loading) }),
			status("http_503_loading", Retried, `503 with {"error": "text", "estimated_time"} (Hugging Face)`, func(*ask) *answer {
				return jsonAnswer(503, object{"error": "Model scripted is currently loading", "estimated_time": 0.1})
			}),
			status("http_520", Retried, "520 with Cloudflare's page", func(*ask) *answer {
				return textAnswer(520, "text/html; charset=UTF-8", "<!DOCTYPE html><html><head><title>api | 520: Web server is returning an unknown error</title></head></html>")
			}),
			status("http_503_retry_after", Retried, "503 with Retry-After 0", func(*ask) *answer {
				return jsonAnswer(503, loading).with("Retry-After", "0")
			}),
			status("http_504", Retried, "504 with nginx's page", func(*ask) *answer { return nginx(504, "Gateway Time-out") }),
			status("http_529", Retried, "529, overloaded (Anthropic behind a proxy)", func(*ask) *answer {
				return jsonAnswer(529, object{"type": "error", "error": object{"type": "overloaded_error", "message": "Overloaded"}})
			}),
			status("http_500_empty", Retried, "500 with no body", func(*ask) *answer { return textAnswer(500, "text/plain", "") }),
			status("http_500_string", Retried, `500 with {"error": "text"} (Ollama)`, func(*ask) *answer {
				return jsonAnswer(500, object{"error": "llama runner process has terminated"})
			}),
			status("http_503_always", Failing, "503, however often it is asked", func(*ask) *answer { return jsonAnswer(503, loading) }).forever(),
			status("http_307", Right, "a redirect that keeps the method, to another path of the same server", func(a *ask) *answer {
				if a.moved {
					return nil
				}
				return textAnswer(307, "text/plain", "").with("Location", "/moved/v1/chat/completions")
			}),
		},
		deniedFaults(),
	)
}

// deniedFaults are answers that no other try mends.
func deniedFaults() []Fault {
	return []Fault{
		status("unauthorized_echo_key", Failing, "401 whose message repeats the key", func(a *ask) *answer {
			return openAIError(401, "invalid_request_error", "invalid_api_key", "", "Incorrect API key provided: "+a.key+". You can find your API key at https://platform.openai.com/account/api-keys.")
		}),
		status("unauthorized_plain", Failing, "401 as text", func(*ask) *answer { return textAnswer(401, "text/plain", "Unauthorized") }),
		status("unauthorized_400", Failing, "400, the key is not valid, in a list (Gemini)", func(*ask) *answer {
			return jsonAnswer(400, []any{object{"error": object{
				"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT",
				"details": []any{object{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}},
			}}})
		}),
		status("forbidden", Failing, "403 in OpenAI's shape", func(*ask) *answer {
			return openAIError(403, "request_forbidden", "unsupported_country_region_territory", "", "Country, region, or territory not supported")
		}),
		status("forbidden_html", Failing, "403 with a firewall's page", func(*ask) *answer {
			return textAnswer(403, "text/html", "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>"+strings.Repeat("<p>Checking your browser.</p>", 200)+"</body></html>")
		}),
		status("payment_required", Failing, "402, the balance is used up (DeepSeek, OpenRouter)", func(*ask) *answer {
			return jsonAnswer(402, object{"error": object{"message": "Insufficient Balance", "type": "unknown_error", "param": nil, "code": "invalid_request_error"}})
		}),
		status("model_missing", Failing, "404, the model was not pulled (Ollama)", func(a *ask) *answer {
			return openAIError(404, "api_error", "", "", "model \""+a.model+"\" not found, try pulling it first")
		}),
		status("model_missing_400", Failing, "400, the model is not known (OpenRouter, Mistral)", func(a *ask) *answer {
			return jsonAnswer(400, object{"error": object{"message": a.model + " is not a valid model ID", "code": 400}})
		}),
		status("deployment_missing", Failing, "404, the deployment does not exist (Azure)", func(*ask) *answer {
			return jsonAnswer(404, object{"error": object{"code": "DeploymentNotFound", "message": "The API deployment for this resource does not exist."}})
		}),
		status("path_missing", Failing, "404 as text: the base URL has no such path, often /v1 is missing", func(*ask) *answer {
			return textAnswer(404, "text/plain; charset=utf-8", "404 page not found\n")
		}),
		status("path_missing_json", Failing, `404 with {"detail": "Not Found"} (FastAPI)`, func(*ask) *answer {
			return jsonAnswer(404, object{"detail": "Not Found"})
		}),
		status("path_missing_200", Failing, "200 with an error about the path, often /v1 is missing (LM Studio; cline #224)", func(*ask) *answer {
			return jsonAnswer(200, object{"error": "Unexpected endpoint or method. (POST /chat/completions)"})
		}),
		status("http_405", Failing, "405 with nginx's page", func(*ask) *answer { return nginx(405, "Not Allowed") }),
		status("http_400", Failing, "400 that names nothing a client could change", func(*ask) *answer {
			return openAIError(400, "invalid_request_error", "", "", "Something about the request is wrong.")
		}),
		status("http_422", Failing, `422 with {"detail": [list]} (FastAPI)`, func(*ask) *answer {
			return jsonAnswer(422, object{"detail": []any{object{"type": "missing", "loc": []any{"body", "prompt"}, "msg": "Field required"}}})
		}),
		status("content_filter_400", Failing, "400, the prompt was filtered (Azure)", func(*ask) *answer {
			return jsonAnswer(400, object{"error": object{
				"message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", "type": nil,
				"param": "prompt", "code": "content_filter", "status": 400,
				"innererror": object{"code": "ResponsibleAIPolicyViolation", "content_filter_result": object{"jailbreak": object{"filtered": true, "detected": true}}},
			}})
		}),
		status("no_tools_support", Failing, "400, the model does not support tools (Ollama)", func(a *ask) *answer {
			if !a.has("tools") {
				return nil
			}
			return openAIError(400, "api_error", "", "", "registry.ollama.ai/library/"+a.model+" does not support tools")
		}),
		status("no_tools_openrouter", Failing, "404, no endpoint supports tool use (OpenRouter)", func(*ask) *answer {
			return jsonAnswer(404, object{"error": object{"message": "No endpoints found that support tool use. To learn more about provider routing, visit the docs.", "code": 404}})
		}),
		status("no_tools_vllm", Failing, "400, the server was started without a tool parser (vLLM)", func(*ask) *answer {
			return jsonAnswer(400, object{"object": "error", "message": "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set", "type": "BadRequestError", "param": nil, "code": 400})
		}),
		status("no_tools_jinja", Failing, "500, the server was started without --jinja (llama.cpp)", func(*ask) *answer {
			return jsonAnswer(500, object{"error": object{"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}})
		}),
	}
}

func status(name string, kind Kind, doc string, refuse func(*ask) *answer) Fault {
	return Fault{Name: name, Kind: kind, Doc: doc, refuse: refuse}
}

func (f Fault) forever() Fault {
	f.always = true
	return f
}

func nginx(code int, why string) *answer {
	title := http.StatusText(code)
	if why != "" {
		title = why
	}
	return textAnswer(code, "text/html", "<html>\r\n<head><title>"+title+"</title></head>\r\n<body>\r\n<center><h1>"+title+"</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n")
}

func slicesOf(groups ...[]Fault) (all []Fault) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}
