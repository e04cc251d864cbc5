// Package memory is what the agent remembers: the directory of an agent
// session, its journal, its working memory, and the request that is made of
// them.
//
// The journal (messages.jsonl) is the single source of truth. It is only ever
// appended to, by the one Store that holds the directory's lock; nothing in it
// is altered or removed. Everything else here is a view: Messages and Request
// are pure functions of the journal, the memory files and the settings, and
// the same input gives the same bytes. What the view leaves out stays in the
// journal, and why it is left out stands there as an entry of its own.
//
// A workspace has a journal of its own (Workspace): what is about to be done to its
// files. All processes append to it, under the one write lock.
//
// Files under working-memory/ belong to the model and the user. Code changes
// them through Event alone, only lines that it wrote itself or that a heading
// invites, and never over a text that nobody has seen: every write compares
// before it swaps.
//
// No secret that the Store was told of (Hide) is written or asked: it is masked in
// entries, memory files and requests, whoever brings it.
//
// The package never calls a model, never logs, never reads the workspace, and
// never hides half a unit: an assistant message and the results of its calls
// stay or go together.
package memory
