package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
	"go.lsp.dev/protocol"
)

// Virtual documents are rendered from the state: galley:/sessions/<id>/<name>.

func viewURI(session, name string) string {
	u := url.URL{Scheme: scheme, OmitHost: true, Path: "/sessions/" + session + "/" + name}
	return u.String()
}

// viewOf reads the URI of a virtual document. Slashes may be doubled or written
// as an empty authority: editors do both.
func viewOf(u string) (session, name string, ok bool) {
	rest, ok := strings.CutPrefix(u, scheme+":")
	if !ok {
		return "", "", false
	}
	rest = unescape(rest, func(byte) bool { return true })
	rest, ok = strings.CutPrefix("/"+strings.TrimLeft(rest, "/"), "/sessions/")
	session, name, found := strings.Cut(rest, "/")
	return session, name, ok && found && session != "" && name != ""
}

func (s *server) textDocumentContent(params json.RawMessage) (any, rest, error) {
	var p struct {
		URI string `json:"uri"`
	}
	if err := decoded(params, &p); err != nil {
		return nil, nil, err
	}
	session, name, ok := viewOf(p.URI)
	if !ok {
		return nil, nil, invalidParams("galley has no document %q; it has galley:/sessions/current/overview.md and others", p.URI)
	}
	return nil, func(ctx context.Context) (any, error) {
		content, err := s.view(ctx, session, name)
		if err != nil {
			return nil, refused("not_found", "%s: %v", p.URI, err)
		}
		if session == currentSession || s.host.Serves(session) {
			s.pub.fetched.put(p.URI, s.pub.hash(content))
			s.pub.poke() // it may be another already
		}
		return &protocol.TextDocumentContentResult{Text: content}, nil
	}, nil
}

var (
	editDiff   = text.Pattern(`^changes/([0-9]{1,9})\.diff$`)
	letterDiff = text.Pattern(`^changes/([0-9]{1,9})/([A-Z])\.diff$`)
)

// view renders a virtual document.
func (s *server) view(ctx context.Context, session, name string) (string, error) {
	if session == currentSession {
		if session = s.current(); session == "" {
			return "There is no agent session yet. Ask galley something, or run galley.newSession.\n", nil
		}
	}
	snap := s.ws.Snapshot()
	if m := editDiff().FindStringSubmatch(name); m != nil {
		n, _ := strconv.Atoi(m[1])
		s.previewed.put(snap, session, n, "")
		return diffOf(snap, session, n, "")
	}
	if m := letterDiff().FindStringSubmatch(name); m != nil {
		n, _ := strconv.Atoi(m[1])
		s.previewed.put(snap, session, n, m[2])
		return diffOf(snap, session, n, m[2])
	}
	if file, ok := strings.CutPrefix(name, "files/"); ok {
		return proposed(snap, session, file)
	}
	return s.host.Document(ctx, session, name)
}

func diffOf(snap *editing.Snapshot, session string, n int, letter string) (string, error) {
	if _, ok := snap.Session(session, n); !ok {
		return "", fmt.Errorf("there is no edit #%d", n)
	}
	for _, c := range snap.Of(session, n) {
		if c.Letter == letter && c.State != editing.Staged {
			return decidedDiff(snap, c), nil
		}
	}
	return view.Preview(snap, session, n, view.Options{ForPeople: true, Format: view.FormatDiff, MaxLength: -1, Letter: letter}), nil
}

// decidedDiff keeps readable what is no patch any more: a change that was
// rejected, applied, or is in conflict.
func decidedDiff(snap *editing.Snapshot, c *editing.Change) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s is %s: %s, %s\n", c.Letter, c.State, c.Name, view.Summary(snap, c))
	if c.Verdict != "" {
		fmt.Fprintf(&b, "# %s\n", c.Verdict)
	}
	b.WriteString(view.Of(snap, c).Lines.String())
	return b.String()
}

// proposed is a file's text with the session's staged changes in it.
func proposed(snap *editing.Snapshot, session, name string) (string, error) {
	more, less := snap.Tree(session)
	for _, e := range more {
		if d, ok := snap.Document(e.Document); ok && e.Name == name {
			return d.Proposed(session).String(), nil
		}
	}
	for _, e := range less {
		if e.Name == name {
			return "", fmt.Errorf("change %s takes %s away", e.Letter, name)
		}
	}
	for _, d := range snap.Documents() {
		if d.Name == name {
			return d.Proposed(session).String(), nil
		}
	}
	return "", fmt.Errorf("galley has nothing to say about %s", name)
}

// fetched are the virtual documents that the client has asked for, with the hash
// of what it got.
type fetched struct {
	mu   sync.Mutex // guards seen and busy
	seen map[string]uint64
	busy bool
}

// mostFetched bounds what is followed: an editor does not always say what it has
// closed.
const mostFetched = 64

func (f *fetched) put(u string, hash uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil || len(f.seen) >= mostFetched {
		f.seen = map[string]uint64{}
	}
	f.seen[u] = hash
}

func (f *fetched) drop(u string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.seen, u)
}

// start reports whether somebody must look: not if nothing was fetched, or if
// another is about to.
func (f *fetched) start() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy || len(f.seen) == 0 {
		return false
	}
	f.busy = true
	return true
}

// take answers what to look at. What changes from here on is looked at again.
func (f *fetched) take() map[string]uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy = false
	return maps.Clone(f.seen)
}

func (p *publisher) hash(s string) uint64 { return maphash.String(p.seed, s) }

// calm is how long the views are left alone before they are rendered again.
const calm = 30 * time.Millisecond

// contents has the client fetch the virtual documents again that have changed.
// Typing would have them rendered all the time: it is waited for a calm moment.
func (p *publisher) contents(c *client) {
	if !c.caps.virtual || !p.fetched.start() {
		return
	}
	p.s.spawn(func(ctx context.Context) {
		timer := time.NewTimer(calm)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		for u, was := range p.fetched.take() {
			p.again(ctx, u, was)
		}
	})
}

// again has the client fetch one document again, if it is another now.
func (p *publisher) again(ctx context.Context, u string, was uint64) {
	session, name, _ := viewOf(u)
	now, err := p.s.view(ctx, session, name)
	if err != nil || p.hash(now) == was {
		return
	}
	p.fetched.put(u, p.hash(now))
	ctx, cancel := context.WithTimeout(ctx, refreshPatience)
	defer cancel()
	err = protocol.Call(ctx, p.s.conn, protocol.MethodWorkspaceTextDocumentContentRefresh,
		&protocol.TextDocumentContentRefreshParams{URI: protocolURI(u)}, nil)
	if err != nil {
		p.fetched.drop(u)
	}
}
