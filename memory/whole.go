package memory

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

const (
	// quietTime is how long a text must have been as it is before it counts, and
	// blankTime how long an empty one: many programs empty a file before they fill it.
	quietTime = 20 * time.Millisecond
	blankTime = time.Second
	// wholePatience is how long a text is waited for that somebody writes all the time.
	wholePatience = 400 * time.Millisecond
)

// readWhole reads overview.md as a whole: the text before somebody's write or the one
// after it, never a half. What was read before or written by us is not waited for.
func (s *Store) readWhole(root *os.Root) (text, hash string, err error) {
	for began := time.Now(); ; time.Sleep(quietTime) {
		text, hash, err = readIn(root, overviewFile)
		if s.known(hash) {
			return text, hash, err
		}
		quiet := quietTime
		if text == "" {
			quiet = blankTime
		}
		switch {
		case errors.Is(err, fs.ErrNotExist) && s.wasThere() && time.Since(began) < quietTime: // mostly it comes back at once
		case err != nil:
			return text, hash, err
		case s.atRest(root, quiet):
			s.remember(text, hash)
			return text, hash, nil
		case time.Since(began) > quiet+wholePatience:
			return s.before(text, hash)
		}
	}
}

// atRest reports whether the overview has not been written for a time. A clock may have
// been set back.
func (s *Store) atRest(root *os.Root, quiet time.Duration) bool {
	info, err := root.Stat(overviewFile)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	age := time.Since(info.ModTime())
	return age < 0 || age >= quiet
}

// before is the text that was read or written last, else the given one.
func (s *Store) before(text, hash string) (string, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen.hash != "" {
		return s.seen.text, s.seen.hash, nil
	}
	return text, hash, nil
}

// seenText is the overview as it was read or written last.
type seenText struct{ text, hash string }

func (s *Store) known(hash string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return hash != "" && s.seen.hash == hash
}

// wasThere reports whether there was an overview in the life of this process.
func (s *Store) wasThere() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.hash != ""
}

func (s *Store) remember(text, hash string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = seenText{text, hash}
}
