// Package openai is the model behind any server that speaks OpenAI's chat completions: OpenAI, Azure, Ollama, llama.cpp,
// vLLM, LM Studio, OpenRouter and many more. It is built around go-openai, which knows the types and the addresses; a
// transport of its own writes what that library cannot send, and reads what it cannot read.
//
// A request passes turns.go (messages), transport.go and body.go (JSON, address, key); a reply passes sse.go (events,
// errors within them), decode.go (chunks), think.go (thoughts in the text), assemble.go (calls), gate.go and textcall.go
// (calls written as text). How servers differ is data: a Profile, from the settings, from what refusals taught, from the
// table of servers, in this order. What went wrong becomes an Error that says what to do next.
//
// A Model is safe for concurrent use. Its one state is what it learnt, and only what a server refuses, or shows of where
// thoughts begin, changes it. It never runs a tool, never repeats a request whose reply has begun (one that held nothing
// but thoughts is the exception), never sends a key to another host than the configured one, and never lets the key
// stand in a text that it gives away. No goroutine of it outlives a call.
package openai
