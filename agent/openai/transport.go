package openai

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/galley-ls/galley/memory"
	oa "github.com/sashabaranov/go-openai"
)

const (
	dialTimeout   = 30 * time.Second
	failureMost   = 1 << 20 // bytes of the body of a refusal that are read
	redirectsMost = 5
)

// newClient makes the client of one model. A connection is used for one request: replies take seconds, so that a new
// one costs nothing, and a connection that died while it waited cannot spoil the next request.
func newClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		dialer := &net.Dialer{Timeout: dialTimeout}
		transport = &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: dialTimeout, DisableKeepAlives: true, MaxResponseHeaderBytes: failureMost,
		}
	}
	return &http.Client{Transport: transport, CheckRedirect: checkRedirect}
}

// checkRedirect follows only within the same server, and only where the request stays the same: the key and the text
// of the person's files go nowhere else. What is not followed is an answer, and an error says where it points to.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	same := next.URL.Host == first.URL.Host && next.URL.Scheme == first.URL.Scheme
	secured := next.URL.Hostname() == first.URL.Hostname() && first.URL.Scheme == "http" && next.URL.Scheme == "https" &&
		first.URL.Port() == "" && next.URL.Port() == ""
	if len(via) >= redirectsMost || next.Method != first.Method || !same && !secured {
		return http.ErrUseLastResponse
	}
	return nil
}

// sending is one request on its way; it is what go-openai takes for its HTTP client.
type sending struct {
	m     *Model
	p     Profile
	turns []turn
	tools []memory.ToolSpec
	watch *watch

	sent map[string]bool // the fields of the body
	came *frames         // the answer; nil before it did
}

// client is go-openai's, which makes addresses and puts in the key.
func (s *sending) client() *oa.Client {
	c := oa.DefaultConfig(s.m.cfg.Key)
	if s.p.API == apiAzure {
		c = oa.DefaultAzureConfig(s.m.cfg.Key, "")
		c.AzureModelMapperFunc = func(string) string { return url.PathEscape(s.m.cfg.Model) }
		c.APIVersion = s.p.APIVersion
	}
	c.BaseURL = s.m.addr.base(s.p.API)
	c.HTTPClient = s
	return oa.NewClientWithConfig(c)
}

// Do implements go-openai's HTTPDoer.
func (s *sending) Do(req *http.Request) (*http.Response, error) {
	body, fields := s.body()
	s.sent = fields
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	resp, err := s.m.send(req, s.p)
	if err != nil {
		return nil, err
	}
	resp.Body = &watched{ReadCloser: resp.Body, watch: s.watch}
	s.came = newFrames(resp.Body)
	return resp, nil
}

// send makes one HTTP request. Every answer but a success is a *failure.
func (m *Model) send(req *http.Request, p Profile) (*http.Response, error) {
	m.dress(req, p)
	resp, err := m.client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 == 2 && resp.StatusCode != http.StatusNoContent {
		return resp, nil
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNoContent {
		return nil, &strange{text: "204 No Content"}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, failureMost))
	if cause := context.Cause(req.Context()); err != nil && cause != nil {
		return nil, cause
	}
	return nil, newFailure(resp.StatusCode, resp.Header, body) // what could be read of it
}

// dress puts on a request what belongs to every one: query and credentials of the base URL, headers.
func (m *Model) dress(req *http.Request, p Profile) {
	query := req.URL.Query()
	for name, values := range m.addr.query {
		query[name] = values
	}
	req.URL.RawQuery, req.URL.User = query.Encode(), m.addr.user
	req.Header.Del("Connection") // go-openai's keep-alive
	req.Header.Set("User-Agent", "galley")
	if m.cfg.Key == "" {
		req.Header.Del(oa.AzureAPIKeyHeader) // go-openai sends an empty one
	}
	for name, value := range p.Headers {
		if strings.EqualFold(name, "Host") {
			req.Host = value
			continue
		}
		req.Header.Set(name, value)
	}
}

// watched tells the watch of every byte that comes.
type watched struct {
	io.ReadCloser
	watch *watch
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if n > 0 {
		w.watch.touch()
	}
	return n, err
}
