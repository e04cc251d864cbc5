// Package text holds the text of one file as an immutable value, and the algebra of the edits that lead from one such value to the next.
//
// A Text is content plus the facts that are kept apart from it: a byte order mark, line endings, a final newline. Nobody may change a Text.
// Apply makes a new one that shares all the edits leave alone, so that a keystroke costs the same in a small file and in a large one. What
// is expensive (the hash, the whole content as one string, the number of code points) is made when it is first asked for and kept. A Text
// may be read by any number of goroutines.
//
// Inside, everything is a byte offset into UTF-8. Content may hold stray bytes that are not UTF-8: they are carried along, count as one
// code point each, and are never repaired. Only \n and \r\n end a line; a lone \r, a form feed or U+2028 is data.
//
// Edits are data too. Apply, Invert, Compose, Transform and Diff are pure functions of their arguments: they depend neither on the clock nor
// on the order of calls. This package knows no file system, no protocol and no session, and it never writes a byte outside of an edit.
package text
