package openai

import (
	"cmp"
	"errors"
	"net"
	"net/url"
	"strings"
)

const defaultBaseURL = "https://api.openai.com/v1"

// address is a base URL taken apart, so that its credentials stand in no text and its query survives the path that
// go-openai appends.
type address struct {
	scheme, host string // host with its port, if one was given
	path         string // without a slash at its end
	user         *url.Userinfo
	query        url.Values
	deployment   string // Azure: where the URL names one
	version      string // Azure: where the URL names one
}

// parseAddress reads a base URL. Its errors never show the URL: there may be a password in it.
func parseAddress(base string) (address, error) {
	base = strings.TrimSpace(base)
	if base == "" {
		base = defaultBaseURL
	}
	if !strings.Contains(base, "://") {
		return address{}, errors.New("model.base_url has no scheme; write http://… for a server on this machine or in your network, https://… for others")
	}
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "":
		return address{}, errors.New("model.base_url is no URL with a host; it looks like http://localhost:11434/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return address{}, errors.New("model.base_url has the scheme " + u.Scheme + "; it must be http or https")
	}
	a := address{scheme: u.Scheme, host: u.Host, path: u.EscapedPath(), user: u.User, query: u.Query()}
	a.path = strings.TrimRight(a.path, "/")
	a.path = strings.TrimRight(strings.TrimSuffix(a.path, "/chat/completions"), "/")
	a.takeDeployment()
	return a, nil
}

// takeDeployment understands the whole address of an Azure deployment, as its portal shows it.
func (a *address) takeDeployment() {
	before, after, found := strings.Cut(a.path, "/openai/deployments/")
	if !found {
		return
	}
	name, _, _ := strings.Cut(after, "/")
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	a.path, a.deployment = before, name
	a.version = a.query.Get("api-version")
	a.query.Del("api-version")
}

// base is what go-openai appends its paths to.
func (a address) base(api string) string {
	path := a.path
	if api == apiAzure {
		path = strings.TrimSuffix(path, "/openai")
	}
	return a.scheme + "://" + a.host + path
}

// String is the address for people: no credentials, no query.
func (a address) String() string { return a.scheme + "://" + a.host + a.path }

func (a address) hostname() string { return strings.ToLower((&url.URL{Host: a.host}).Hostname()) }

func (a address) port() string {
	usual := map[string]string{"http": "80", "https": "443"}[a.scheme]
	return cmp.Or((&url.URL{Host: a.host}).Port(), usual) // a colon alone is no port
}

// local tells whether the server is on this machine or in the same network.
func (a address) local() bool {
	name := a.hostname()
	if ip := net.ParseIP(name); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified()
	}
	return name == "localhost" || !strings.Contains(name, ".") || strings.HasSuffix(name, ".local") || name == "host.docker.internal"
}

// IsOwn tells whether a base URL is that of OpenAI's own server.
func IsOwn(baseURL string) bool {
	a, err := parseAddress(baseURL)
	return err == nil && a.hostname() == "api.openai.com"
}

// PlainElsewhere is the host of a base URL, and whether what is sent there goes to another machine in the clear.
func PlainElsewhere(baseURL string) (host string, plain bool) {
	a, err := parseAddress(baseURL)
	if err != nil {
		return "", false
	}
	name := a.hostname()
	here := name == "localhost" || strings.HasSuffix(name, ".localhost") || net.ParseIP(name).IsLoopback() || net.ParseIP(name).IsUnspecified()
	return a.host, a.scheme == "http" && !here
}

// under tells whether the host is a domain or lies in it.
func (a address) under(domain string) bool {
	name := a.hostname()
	return name == domain || strings.HasSuffix(name, "."+domain)
}
