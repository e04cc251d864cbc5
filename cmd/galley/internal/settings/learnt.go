package settings

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/galley-ls/galley/agent/openai"
)

// What a refusal taught about a server is kept, so that it is refused once only. It can be lost: the file lies in the
// cache folder.

const (
	learntVersion = 1
	mostLearnt    = 1 << 20
	mostServers   = 500 // one that asks so many may forget them all
)

type learntFile struct {
	Version int                       `json:"version"`
	Servers map[string]openai.Profile `json:"servers"`
}

// LearntPath is the file of what was learnt.
func LearntPath(cache string) string { return filepath.Join(cache, "profiles.json") }

// LearntKey names a model at a server, without user, password and query.
func LearntKey(baseURL, model string) string {
	return strings.TrimRight(PublicURL(baseURL), "/") + " " + model
}

// ReadLearnt fills profile with what was learnt about a model at a server. What cannot be read counts as nothing, and is
// an error to be told as a warning.
func ReadLearnt(cache, key string, profile *openai.Profile) error {
	f, err := readLearnt(cache)
	*profile = f.Servers[key]
	return err
}

func readLearnt(cache string) (learntFile, error) {
	f, err := readKept[learntFile](LearntPath(cache), learntVersion, mostLearnt)
	if err != nil {
		err = fmt.Errorf("%w; it is not used", err)
	}
	if f.Servers == nil {
		f = learntFile{Version: learntVersion, Servers: map[string]openai.Profile{}}
	}
	return f, err
}

// WriteLearnt keeps what was learnt. A file that cannot be read is replaced.
func WriteLearnt(cache, key string, profile openai.Profile) error {
	return rewrite(LearntPath(cache), func() (any, error) {
		f, _ := readLearnt(cache)
		if len(f.Servers) >= mostServers {
			clear(f.Servers)
		}
		f.Servers[key] = profile
		return f, nil
	})
}
