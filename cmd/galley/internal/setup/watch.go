package setup

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
)

// quietFor is how long a file must be quiet before it is read: programs write in several steps.
const quietFor = 100 * time.Millisecond

// watchSettings follows the folders of the settings of a workspace until ctx ends.
func watchSettings(ctx context.Context, work *sync.WaitGroup, log *zap.Logger, config, workspace string, changed func()) {
	w, err := session.NewWatcher()
	if err != nil {
		log.Sugar().Warnf("settings: %v", err)
		return
	}
	there := func(folders []string) {
		if err := watchThere(w, folders); err != nil && ctx.Err() == nil {
			log.Sugar().Warnf("settings: %v", err)
		}
	}
	there(settingsFolders(config, workspace))
	moved := make(chan struct{}, 1)
	work.Go(func() {
		w.Run(ctx, func(path string) {
			folders := settingsFolders(config, workspace) // one of a skill may have come
			if !concerns(path, folders) {
				return
			}
			there(folders) // some may have come
			select {
			case moved <- struct{}{}:
			default:
			}
		})
	})
	work.Go(func() { passOn(ctx, moved, changed) })
}

// settingsFolders are the folders that files of settings, prompts and skills lie in, there or not.
func settingsFolders(config, workspace string) []string {
	var out []string
	for _, dir := range []string{config, settings.WorkspaceDir(workspace)} {
		prompts := settings.PromptsDir(dir)
		skills := settings.SkillsDir(dir)
		out = append(out, dir, prompts, filepath.Join(prompts, "tools"), skills)
		below, _ := os.ReadDir(skills) // most often there is none
		for _, e := range below {
			out = append(out, filepath.Join(skills, e.Name()))
		}
	}
	return out
}

// watchThere watches the folders that are there, and for the others the nearest one above them.
func watchThere(w *session.Watcher, folders []string) error {
	var files []string
	for _, dir := range folders {
		files = append(files, filepath.Join(nearestThere(dir), "any"))
	}
	_, err := w.Watch(files)
	return err
}

// nearestThere is the folder itself, or the first one above it that is there.
func nearestThere(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}

// concerns reports whether a path that changed is a file of settings, or a folder that one may come into. An unknown path
// may be anything.
func concerns(path string, folders []string) bool {
	if path == "" {
		return true
	}
	for _, dir := range folders {
		if filepath.Dir(path) == dir || path == dir || strings.HasPrefix(dir, path+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// passOn tells of a change when it has become quiet.
func passOn(ctx context.Context, moved <-chan struct{}, changed func()) {
	quiet := time.NewTimer(0)
	defer quiet.Stop()
	<-quiet.C
	for {
		select {
		case <-moved:
			quiet.Reset(quietFor)
		case <-quiet.C:
			changed()
		case <-ctx.Done():
			return
		}
	}
}
