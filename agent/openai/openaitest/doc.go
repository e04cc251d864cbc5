// Package openaitest is a model server for tests: it speaks the OpenAI-compatible chat completions, plays a script, and
// misbehaves on demand in every way that real servers were seen to.
//
// A Server is changed by its requests and by Release only; one mutex guards everything. It checks each request like the
// strictest real server and keeps what is wrong in Problems; it answers nevertheless, and no request makes it fail. It
// never sleeps (time is what the test lets pass with Release), never looks beyond its listener, and knows nothing of
// galley's client, so both sides never share a mistake.
//
// The faults are data, one file a family in the folder faults: what goes over the wire, and what a client must make of it.
//
// # Script
//
// A script is text: one JSON object a line; empty lines and lines that start with # are skipped. The first object may be
// the header, with one or more of these fields:
//
//	{"loop": true}                     start again at the end; else 500 "the script is over"
//	{"key": "sk-test"}                 demanded as Bearer token or api-key header, else 401
//	{"models": ["a", "b"]}             what GET /models lists; another model is answered 404
//	{"models_status": 404}             GET /models is answered so ...
//	{"models_body": "[]"}              ... and with this
//	{"fields": ["min_p"]}              further fields that a request, a message or a call may have without a problem
//	{"forgive": ["tool_call_id"]}      problems that hold one of these texts are no problems
//
// Each other object is a reply. Plain:
//
//	{"text": "All done."}
//	{"reasoning": "Let me see.", "calls": [{"name": "read", "arguments": {"file": "a.txt"}}]}
//
// A request takes the first reply that was not taken yet and whose `when` fits; a reply without `when` always fits, so
// the special ones stand above it. Fields of a reply:
//
//	when       text, or a list of texts: all stand in the user and tool messages behind the model's last message
//	text, reasoning, finish
//	calls      list of {"name", "arguments": object, or a string sent as it is, "id", "extra": further fields of the call}
//	usage      {"input", "cached", "output"} in tokens; without it a quarter of the bytes
//	fault      one of the faults: the quirk with which the reply is sent
//	status, header, body   a plain HTTP answer instead
//	frames     list of texts: raw pieces of an event stream instead
//	chunk      bytes of text in a delta; without it words
//	want       list of texts that the request's body must hold, else 500 and a problem
//	hold       true: the first byte waits for a release (or the client's going away)
//	hold_at    "start" or "middle"
//
// A reply is used up when it was sent, or wrong once and for all. One whose fault is of the kind "retried" is sent with the fault first, and
// plainly to the next request; one of the kind "learnt" is kept until a request comes that the server accepts.
package openaitest
