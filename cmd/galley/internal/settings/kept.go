package settings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/galley-ls/galley/memory"
)

// readKept reads a file that rewrite has written; the zero value, if it is not there.
func readKept[T any](path string, version int, most int64) (kept T, err error) {
	data, err := readSmall(path, most)
	if notThere(err) {
		return kept, nil
	}
	var head struct{ Version int }
	if err == nil {
		err = json.Unmarshal(data, &head)
	}
	if err == nil && head.Version != version {
		err = fmt.Errorf("it is of version %d, which this galley does not know", head.Version)
	}
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil {
		return *new(T), fmt.Errorf("%s: %w", homely(path), err)
	}
	return kept, nil
}

// lockPatience is how long another process may be busy with a file.
const lockPatience = 5 * time.Second

var errBusy = errors.New("end it, or try again")

// rewrite replaces a small file of JSON for its owner's eyes, one process at a time.
func rewrite(path string, made func() (any, error)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), lockPatience, errBusy)
	defer cancel()
	// of dot files that are kept elsewhere, the real one is replaced
	return memory.Rewrite(ctx, RealPath(path), func() ([]byte, error) {
		content, err := made()
		if err != nil {
			return nil, err
		}
		data, err := json.MarshalIndent(content, "", "  ")
		return append(data, '\n'), err
	})
}
