// Package match finds the place that a model means by old_text, and moves the
// change from old_text to new_text onto the bytes that really stand there.
//
// A place is found by equivalences, strictest first: exact bytes, blanks at line
// ends, Unicode look-alikes, indentation, runs of blanks. The first of them that
// finds anything decides: none is asked after it. Only then come whole-block
// artefacts of the transport (line numbers, a code fence, escapes, entities),
// pieces around `...`, the answer that the new text is already there, and places
// that merely resemble old_text. Those are never decided here, always asked.
//
// Folding is for finding, never for writing: what the model did not change keeps
// the file's bytes (quotes, dashes, odd spaces, trailing blanks, indentation, line
// endings), by a three-way merge of old_text, new_text and the text found.
//
// Everything here is a function of its arguments. The package holds no state,
// reads no file and no clock (near matching stops at its budget of work and says
// so), and never makes an edit outside of the range of its match. Where it could
// guess it asks or refuses.
package match
