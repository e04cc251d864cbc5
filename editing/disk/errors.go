package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Codes of an Error: first the words that tools use for results, then those that only name what is wrong with one
// file of a commit.
const (
	CodeOutsideRoots = "outside_roots"
	CodeDenied       = "denied"
	CodeFileNotFound = "file_not_found"
	CodeNotText      = "not_text"
	CodeTooLarge     = "too_large"
	CodeBadArguments = "bad_arguments"

	CodeReadOnly = "read_only"
	CodeChanged  = "changed"
	CodeExists   = "exists"
	CodeBusy     = "busy"
	CodeIO       = "io"
)

// ErrChanged is what an Error wraps when a file does not hold the expected bytes. Nothing was written then.
var ErrChanged = errors.New("the file changed on disk")

// Error says why a file was not touched.
type Error struct {
	Code string
	Path string // as it was given
	Hint string // for people and models: what is wrong and what to do instead
	Err  error  // the cause, if there is one
}

func (e *Error) Error() string { return e.Path + ": " + e.Hint }

func (e *Error) Unwrap() error { return e.Err }

func refuse(code, path, format string, args ...any) *Error {
	return &Error{Code: code, Path: path, Hint: fmt.Sprintf(format, args...)}
}

func changed(path string) *Error {
	return &Error{
		Code: CodeChanged, Path: path, Err: ErrChanged,
		Hint: "the file was changed on disk since it was read; nothing was written: read it again",
	}
}

// ErrExists is what an Error wraps when the name of a new file is taken. Nothing was written then.
var ErrExists = errors.New("the name is taken")

func exists(path string) *Error {
	return &Error{
		Code: CodeExists, Path: path, Err: ErrExists,
		Hint: "something of this name is there already and was left as it is; read it, or choose another name",
	}
}

// renaming is an error of giving a name to a file that was there a moment ago.
func renaming(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrExist):
		return exists(path)
	case errors.Is(err, fs.ErrNotExist):
		return changed(path)
	}
	return err
}

// failure turns an error of the system into one that names the file and the next step. The path in err is left out:
// it may be a temporary name, or lie outside the roots.
func failure(path, doing string, err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	e := &Error{Path: path, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Hint = CodeFileNotFound, "there is no such file; list_files shows what is there"
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Hint = CodeDenied, doing+": the system gives no permission; ask the user"
	default:
		e.Code, e.Hint = CodeIO, fmt.Sprintf("%s: %v; ask the user", doing, cause(err))
	}
	return e
}

// cause is an error without the names of files.
func cause(err error) error {
	var one *fs.PathError
	var two *os.LinkError
	switch {
	case errors.As(err, &one):
		return one.Err
	case errors.As(err, &two):
		return two.Err
	}
	return err
}

// ErrorCode is Code, for callers that know errors only by what they offer.
func (e *Error) ErrorCode() string { return e.Code }

// BatchError says that a batch was given up. All files are what they were, but for those that are Lost.
type BatchError struct {
	Files []*Error // what is wrong, for each file
	Lost  []*Error // what could not be put back
	Err   error    // the journal could not be told
}

func (e *BatchError) Error() string {
	var all []string
	for _, f := range slices.Concat(e.Files, e.Lost) {
		all = append(all, f.Error())
	}
	if e.Err != nil {
		all = append(all, e.Err.Error())
	}
	if len(e.Lost) > 0 {
		return "not all files could be put back after a failed write; " + strings.Join(all, "; ")
	}
	return "nothing was written; " + strings.Join(all, "; ")
}

// Unwrap returns what went wrong with each file.
func (e *BatchError) Unwrap() []error {
	var all []error
	for _, f := range slices.Concat(e.Files, e.Lost) {
		all = append(all, f)
	}
	return append(all, e.Err)
}

func (e *BatchError) add(given, doing string, err error) {
	e.Files = append(e.Files, failure(given, doing, err))
}
