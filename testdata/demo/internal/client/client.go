// Package client calls the shop's API.
package client

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// defaultRetries is how often a request is sent again after a failure.
const defaultRetries = 3

// pause is the wait before the first retry; each further one waits twice as long.
const pause = 200 * time.Millisecond

// Client sends requests to one server.
type Client struct {
	base    string
	http    *http.Client
	retries int
}

// New returns a client for the server at base.
func New(base string) *Client {
	return &Client{
		base:    base,
		http:    &http.Client{Timeout: 10 * time.Second},
		retries: defaultRetries,
	}
}

// Get fetches path and tries again while the server is busy.
func (c *Client) Get(ctx context.Context, path string) (*http.Response, error) {
	wait := pause
	for attempt := 0; ; attempt++ {
		res, err := c.try(ctx, path)
		if err == nil || attempt == c.retries {
			return res, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// try sends one request; a busy server is an error.
func (c *Client) try(ctx context.Context, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return nil, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= http.StatusInternalServerError {
		res.Body.Close()
		return nil, fmt.Errorf("get %s: the server answered %s", path, res.Status)
	}
	return res, nil
}
