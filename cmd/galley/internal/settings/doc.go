// Package settings is the one schema of galley's settings, and the way they come in: files, an editor, the environment,
// flags. The tags of the struct Settings say of each what it is called, what it may be, and what a workspace that nobody
// trusts may do with it; Default says what it is when nobody says anything. The table of rows, the JSON schema, the page
// docs/configuration.md, completions and all checks are made from them.
//
// Files, and all that is JSON, are read by the YAML library: its tree gives names and lines, and it decodes each value
// into the type of the field, after read has looked at how it was written.
//
// Load reads everything and answers what is in force, where each value comes from, and what is wrong, by file and line.
// It holds no state: whoever wants newer settings loads again. The only files that are written here are trusted.json,
// which remembers the workspaces that a person trusts, and a cache of what was learnt about model servers.
//
// It never writes a settings file, never lets an untrusted workspace choose who is asked, which commands run or what may
// be read, never shows a key, and never panics on what stands in a file.
package settings
