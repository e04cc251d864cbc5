// Command modelserver plays a script of model replies to whoever asks: a scripted OpenAI-compatible server, for the tests
// of editors and for trying galley by hand. It prints its base URL on the first line, then a line for each request and
// each problem with one.
//
// It only connects agent/openai/openaitest with a command line; it never knows a client.
package main
