// Package replay records what a model says and plays it again, for tests, demos and bug reports.
//
// A recording is lines of JSON: a head, then one line for each reply with the shape of what was new in its request. It
// holds the model's own words and calls; of prompts and tool results it holds digests only, so no text of a file that
// the model did not repeat, and no key, is in it. Playing changes nothing: a request that is not the recorded one is an
// error that says what differs, never a reply that does not fit.
package replay
