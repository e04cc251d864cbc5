package dial

import (
	"context"
	"errors"
	"sync"
)

// Link is a connection to the host of a workspace that outlives the host: what is asked then goes to the next one.
type Link struct {
	attach func() (*Conn, error) // nil: there is no other

	mu sync.Mutex // guards c
	c  *Conn
}

// NewLink makes a connection, and others when its host has ended.
func NewLink(attach func() (*Conn, error)) (*Link, error) {
	c, err := attach()
	return &Link{attach: attach, c: c}, err
}

// LinkTo is a connection that ends with its host.
func LinkTo(c *Conn) *Link { return &Link{c: c} }

// Conn is the connection as it was last.
func (l *Link) Conn() *Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.c
}

// Again is a connection to the next host, where that of the last one is gone.
func (l *Link) Again(context.Context) (*Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.c.conn.Done():
	default:
		return l.c, nil
	}
	if l.attach == nil {
		return nil, errGone
	}
	c, err := l.attach()
	if err == nil {
		l.c = c
	}
	return c, err
}

// Do asks something of the host, and of the next one where it is gone.
func (l *Link) Do(ctx context.Context, ask func(c *Conn) error) error {
	err := ask(l.Conn())
	if !errors.Is(err, errGone) {
		return err
	}
	c, fault := l.Again(ctx)
	if fault != nil {
		return errors.Join(err, fault)
	}
	return ask(c)
}

// Close ends the connection.
func (l *Link) Close() error { return l.Conn().Close() }
