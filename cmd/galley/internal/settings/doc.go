// Package settings is the one schema of galley's settings, and the way they come in: files, an editor, the environment,
// flags. One table says of each what it is called, what it may be, what it is when nobody says anything, and what a
// workspace that nobody trusts may do with it. The JSON schema, the page docs/configuration.md, completions and all
// checks are made from that table.
//
// Load reads everything and answers what is in force, where each value comes from, and what is wrong, by file and line.
// It holds no state: whoever wants newer settings loads again. The only files that are written here are trusted.json,
// which remembers the workspaces that a person trusts, and a cache of what was learnt about model servers.
//
// It never writes a settings file, never lets an untrusted workspace choose who is asked, which commands run or what may
// be read, never shows a key, and never panics on what stands in a file.
package settings
