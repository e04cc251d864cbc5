// Package review lets a person read the changes of an agent session and decide about them: at a terminal, one answer after
// the other, and from scripts by flags. It says in plain lines what became of a decision.
//
// It never decides by itself: every decision goes through agent/session, with the letters as the person has seen them.
package review
