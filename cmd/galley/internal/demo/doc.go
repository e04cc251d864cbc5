// Package demo plays walks on a sample project: scripts (testdata/walks) in which an agent gets wishes and a person decides.
// What the agent says and calls is the script's; session, tools, review and files are the real ones, and on a terminal so
// is the person.
//
// It never touches anything but the folder that it has made or been given, which must be empty.
package demo
