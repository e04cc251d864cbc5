// Package tools is the table of tools that a model is offered: for each its name, the text the model reads (a .md file
// beside the .go file), the schema of its arguments, and the call it stands for.
//
// No secret goes through this door in either direction: arguments that hold one are refused, and results are masked.
//
// The tools hold no state and do no work. They check the arguments against the schema, so that nothing is guessed or
// dropped in silence, and pass them to a Table; what comes back is the result as JSON. Whatever a model sends is
// answered with a result that says what to do next. Nothing here touches a file, a letter or the conversation.
package tools
