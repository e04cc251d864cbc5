package lsp

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// publisher sends what changed. It is woken by level: whoever changes something
// pokes it, it looks at everything and sends what is not as the client has it.
type publisher struct {
	s *server
	bell
	seed    maphash.Seed
	asked   asked
	fetched fetched

	// what the client has; only run reads and writes it
	docs    map[string]published // by path
	sent    map[string]uint64    // hash of a state, by the method that brings it
	lens    uint64               // of what lenses and hints show
	told    map[string]bool      // the proposals that the user was told of
	watched []string
	session string // whose views they are
	viewSeq int64
	files   map[memoryKey]memoryMessage
	views   chan int64 // size 1: the newest sequence number of the host's views
}

// published is what the client has of one document.
type published struct {
	doc  *editing.Document
	gen  int // of the settings
	hash uint64
	uri  string

	version int32 // that the client has
	shown   bool
}

func newPublisher(s *server) *publisher {
	return &publisher{
		s: s, bell: newBell(), views: make(chan int64, 1),
		seed: maphash.MakeSeed(), docs: map[string]published{}, sent: map[string]uint64{}, told: map[string]bool{}, files: map[memoryKey]memoryMessage{},
	}
}

// bell calls somebody to look again. However often it is rung, they look once.
type bell chan struct{} // size 1

func newBell() bell { return make(bell, 1) }

func (b bell) poke() {
	select {
	case b <- struct{}{}:
	default: // it is rung already
	}
}

// watchWorkspace pokes for every newer snapshot, the keeper too.
func (p *publisher) watchWorkspace(ctx context.Context) {
	was, seq := (*editing.Snapshot)(nil), int64(-1)
	log := logged{p.s.log, map[any]string{}}
	for {
		snap, err := p.s.ws.Wait(ctx, seq)
		if err != nil {
			return
		}
		log.look(snap)
		p.s.inherit(snap)
		p.s.keeper.poke()
		snap = p.calmed(ctx, was, snap)
		was, seq = snap, snap.Seq
		p.poke()
	}
}

// late is how long what moves elsewhere may stay untold: somebody may look at it.
const late = 100 * time.Millisecond

// calmed lets typing in other editors come first: their own letters shall follow it at
// once, and those who look on are told a little later, of several keys together.
func (p *publisher) calmed(ctx context.Context, was, snap *editing.Snapshot) *editing.Snapshot {
	ctx, cancel := context.WithTimeout(ctx, late)
	defer cancel()
	for snap.Elsewhere(was, p.s.me) {
		next, err := p.s.ws.Wait(ctx, snap.Seq)
		if err != nil {
			return snap
		}
		snap = next
		p.s.inherit(snap)
		p.s.keeper.poke()
	}
	return snap
}

// watchViews does so for tasks, context and sessions.
func (p *publisher) watchViews(ctx context.Context) {
	seq := int64(-1)
	for {
		next, err := p.s.host.Wait(ctx, seq)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			p.s.log.Error("the views cannot be followed any more", zap.Error(err))
			return
		}
		seq = next
		select { // the newest counts
		case <-p.views:
		default:
		}
		p.views <- seq
		p.poke()
	}
}

func (p *publisher) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.bell:
		}
		p.publish()
	}
}

// publish sends what is not as the client has it.
func (p *publisher) publish() {
	defer p.s.caught("publisher", nil)
	snap, c := p.s.ws.Snapshot(), p.s.client.Load()
	moved := p.session != p.s.current()
	p.session = p.s.current()
	select {
	case p.viewSeq = <-p.views:
		moved = true
	default:
	}
	p.diagnostics(snap, c)
	if c.notifications {
		p.changes(snap, c)
		p.notifyViews()
		if moved {
			p.notifyMemory()
		}
	}
	p.refresh(snap, c)
	p.proposals(snap, c)
	p.watchFiles(snap, c)
	p.contents(c)
}

// diagnostics publishes for every document whose changes, text or settings are
// not those that were published last.
func (p *publisher) diagnostics(snap *editing.Snapshot, c *client) {
	set, gen := p.s.settings.get()
	for _, d := range snap.Documents() {
		version, is := p.s.shows(d)
		if !is {
			p.s.elsewhere(d)
		}
		now := published{doc: d, gen: gen, uri: p.s.uriOf(d, c), shown: is}
		if version != nil {
			now.version = *version
		}
		if was, ok := p.docs[d.Path]; ok && was.doc == d && was.gen == gen && was.shown == is && was.version == now.version {
			continue
		}
		p.document(snap, d, c, set, now, version != nil)
	}
	for path, was := range p.docs {
		if _, ok := snap.Document(path); ok { // nothing rests on the others any more
			continue
		}
		if was.hash != 0 {
			p.send(was.uri, protocol.Optional[int32]{}, nil)
		}
		delete(p.docs, path)
	}
}

// document publishes the diagnostics of one document, if they are new.
func (p *publisher) document(snap *editing.Snapshot, d *editing.Document, c *client, set Settings, now published, open bool) {
	was, ok := p.docs[d.Path]
	var list []protocol.Diagnostic
	if list = []protocol.Diagnostic{}; now.shown {
		list = diagnosticsOf(snap, d, c, set)
	}
	if len(list) == 0 && (!ok || was.hash == 0) {
		p.docs[d.Path] = now
		return
	}
	if ok && was.hash != 0 && was.uri != now.uri { // the editor has opened it under its own name
		p.send(was.uri, protocol.Optional[int32]{}, nil)
	}
	var version protocol.Optional[int32]
	if open && c.caps.versionedDiagnostics {
		version.Set(now.version)
	}
	raw, err := protocol.Marshal(&protocol.PublishDiagnosticsParams{URI: protocolURI(now.uri), Version: version, Diagnostics: list})
	if err != nil {
		p.s.log.Error("diagnostics could not be encoded", zap.Error(err))
		return
	}
	now.hash = maphash.Bytes(p.seed, raw) + uint64(now.version) //nolint:gosec // editors move what they show: again for every version
	if was.hash != now.hash {
		p.s.notify(protocol.MethodTextDocumentPublishDiagnostics, jsonRaw(raw))
	}
	if len(list) == 0 {
		now.hash = 0
	}
	p.docs[d.Path] = now
}

func (p *publisher) send(uri string, version protocol.Optional[int32], list []protocol.Diagnostic) {
	if list == nil {
		list = []protocol.Diagnostic{}
	}
	p.s.notify(protocol.MethodTextDocumentPublishDiagnostics,
		&protocol.PublishDiagnosticsParams{URI: protocolURI(uri), Version: version, Diagnostics: list})
}

// once sends a state if it differs from the last one, its sequence number aside.
func (p *publisher) once(method string, state any, seq *int64) {
	now := *seq
	*seq = 0
	h := maphash.Bytes(p.seed, own(state))
	*seq = now
	if p.sent[method] != h {
		p.sent[method] = h
		p.s.notify(method, jsonRaw(own(state)))
	}
}

// refresh asks the client to fetch again what it fetches by itself.
func (p *publisher) refresh(snap *editing.Snapshot, c *client) {
	h := p.drawn(snap)
	if h == p.lens {
		return
	}
	first := p.lens == 0
	p.lens = h
	if first && len(snap.Changes()) == 0 {
		return
	}
	if c.caps.lensRefresh {
		p.ask(protocol.MethodWorkspaceCodeLensRefresh)
	}
	if c.caps.hintRefresh {
		p.ask(protocol.MethodWorkspaceInlayHintRefresh)
	}
}

// drawn is a hash of what lenses and hints show besides the places of the
// changes, which editors move by themselves until they ask again.
func (p *publisher) drawn(snap *editing.Snapshot) uint64 {
	_, gen := p.s.settings.get()
	var h maphash.Hash
	h.SetSeed(p.seed)
	maphash.WriteComparable(&h, gen)
	for _, c := range snap.Changes() {
		maphash.WriteComparable(&h, struct {
			letter, path string
			revision     int
			state        editing.ChangeState
		}{c.Letter, c.Path, c.Revision, c.State})
	}
	for _, ses := range snap.Sessions("") {
		maphash.WriteComparable(&h, struct {
			owner string
			n     int
			state editing.SessionState
		}{ses.Owner, ses.N, ses.State})
	}
	return h.Sum64()
}

// ask sends a request whose answer says nothing, and is not waited for. While
// one is under way, any number of others are one more.
func (p *publisher) ask(method string) {
	p.asked.mu.Lock()
	defer p.asked.mu.Unlock()
	if p.asked.busy == nil {
		p.asked.busy, p.asked.again = map[string]bool{}, map[string]bool{}
	}
	if p.asked.busy[method] {
		p.asked.again[method] = true
		return
	}
	p.asked.busy[method] = true
	p.s.spawn(func(ctx context.Context) {
		for again := true; again && ctx.Err() == nil; {
			short, cancel := context.WithTimeout(ctx, refreshPatience)
			if err := protocol.Call(short, p.s.conn, method, nil, nil); err != nil && ctx.Err() == nil {
				p.s.log.Info("a refresh was refused", zap.String("method", method), zap.Error(err))
			}
			cancel()
			again = p.asked.over(method)
		}
	})
}

const refreshPatience = 10 * time.Second

// asked are the refreshes under way.
type asked struct {
	mu          sync.Mutex // guards both
	busy, again map[string]bool
}

func (a *asked) over(method string) (again bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	again = a.again[method]
	a.again[method], a.busy[method] = false, again
	return again
}

// watchFiles keeps the client's watcher on the closed files that have changes, and on
// those whose coming or going matters.
func (p *publisher) watchFiles(snap *editing.Snapshot, c *client) {
	if !c.caps.watchDynamic {
		return
	}
	var names []string
	for _, d := range snap.Documents() {
		if d.Tree() || !d.Open() && len(d.Changes()) > 0 {
			names = append(names, d.Path)
		}
	}
	if slices.Equal(names, p.watched) {
		return
	}
	had := len(p.watched) > 0
	p.watched = names
	p.s.spawn(func(ctx context.Context) { p.s.watch(ctx, names, had) })
}
