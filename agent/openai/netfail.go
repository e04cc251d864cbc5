package openai

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"github.com/galley-ls/galley/agent/model"
)

// judgeNetwork puts into words what ended a try without a word from the server.
func (m *Model) judgeNetwork(err error, p Profile) verdict {
	switch {
	case errors.Is(err, errFirstByte):
		return m.lost(KindTimeout, triesTwice, fmt.Sprintf("%s did not begin to answer within %s", m.addr, span(p.FirstByteTimeout.span())),
			"no answer from", "if the model is only slow to load, raise model.profile.first_byte_timeout; else look whether the server hangs")
	case errors.Is(err, errSilent), errors.Is(err, errTail):
		return m.lost(KindIdle, triesAll, fmt.Sprintf("the reply of %s fell silent for %s", m.addr, span(p.IdleTimeout.span())),
			"silence from", "look whether the server hangs, or raise model.profile.idle_timeout")
	case errors.Is(err, errLine), errors.Is(err, errReply):
		return verdict{err: &Error{Kind: KindTooLarge, What: fmt.Sprintf("%s: %v", m.addr, err), Next: "look whether model.base_url is the right address; no model writes so much"}, tries: triesOnce}
	case errors.Is(err, errBroken):
		return m.lost(KindCut, triesAll, fmt.Sprintf("the reply of %s is broken: an event in it is no JSON", m.addr), "a broken reply from", "look whether a proxy in between changes it")
	}
	for {
		u, ok := err.(*url.Error)
		if !ok {
			break
		}
		err = u.Err // the text around it shows the address with all that is in it
	}
	if v, ok := m.judgeTLS(err); ok {
		return v
	}
	return m.judgeConnection(err)
}

// lost is an error of the connection, which may go well the next time.
func (m *Model) lost(kind Kind, tries int, what, short, next string) verdict {
	return verdict{err: &Error{Kind: kind, What: what, Next: next}, tries: tries, short: short + " " + m.addr.host}
}

func (m *Model) judgeConnection(err error) verdict {
	var dns *net.DNSError
	var timeout net.Error
	var op *net.OpError
	proxy := ""
	if errors.As(err, &op) && op.Op == "proxyconnect" {
		proxy = ", which goes through the proxy of HTTPS_PROXY or HTTP_PROXY,"
	}
	text := strings.ToLower(err.Error()) // not every system has the same errors, but all have the same words
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	switch {
	case errors.As(err, &dns):
		tries := triesFew
		if dns.IsNotFound {
			tries = triesOnce
		}
		return m.lost(KindDNS, tries, fmt.Sprintf("the host %s is not known", m.hidden.quote(first(dns.Name, m.addr.hostname()))), "no address for",
			"look for a slip in model.base_url (GALLEY_MODEL_BASE_URL), and whether this machine is online")
	case errors.Is(err, syscall.ECONNREFUSED) || has("connection refused", "actively refused"):
		return m.lost(KindConnect, triesFew, fmt.Sprintf("the connection to %s%s was refused", m.addr, proxy), "connection refused by", m.hintStart())
	case errors.As(err, &timeout) && timeout.Timeout():
		return m.lost(KindConnect, triesFew, fmt.Sprintf("%s%s did not answer in time", m.addr, proxy), "no connection to",
			"look whether the host is right (model.base_url, GALLEY_MODEL_BASE_URL) and reachable from here")
	case has("no route to host", "network is unreachable", "host is unreachable", "host is down"):
		return m.lost(KindConnect, triesFew, fmt.Sprintf("%s%s cannot be reached from here", m.addr, proxy), "no way to",
			"look whether this machine is online, and whether model.base_url (GALLEY_MODEL_BASE_URL) is right")
	case has("malformed http response"):
		return m.lost(KindNotOpenAI, triesOnce, fmt.Sprintf("%s does not speak HTTP", m.addr), "", "if it is a secured server, write https:// in model.base_url; else look for a slip in its port")
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		has("connection reset", "broken pipe", "server closed", "goaway", "stream error", "unexpected eof", "forcibly closed", "aborted", "closed network connection"):
		return m.lost(KindCut, triesAll, fmt.Sprintf("the connection to %s%s broke off", m.addr, proxy), "connection broken by",
			"try again; if it stays, look into the log of the server")
	}
	return m.lost(KindConnect, triesFew, fmt.Sprintf("no answer from %s%s: %s", m.addr, proxy, m.hidden.quote(err.Error())), "no connection to",
		"look whether the server runs, and whether model.base_url (GALLEY_MODEL_BASE_URL) is right")
}

// hintStart says how a server on this machine is started.
func (m *Model) hintStart() string {
	const where = "; model.base_url (GALLEY_MODEL_BASE_URL) says where it is looked for"
	switch m.row {
	case rowOllama:
		return "is the server running? start it with `ollama serve`" + where
	case rowLMStudio:
		return "is the server running? start it in LM Studio (Developer, Start server) or with `lms server start`" + where
	case rowLlamaCPP:
		return "is the server running? llama.cpp's is started with `llama-server --jinja -m MODEL.gguf`" + where
	case rowVLLM:
		return "is the server running? vLLM's is started with `vllm serve MODEL --enable-auto-tool-choice --tool-call-parser …`" + where
	}
	return "is the server running, and does model.base_url (GALLEY_MODEL_BASE_URL) say where?"
}

// judgeTLS knows the errors of secured connections. None goes away by itself.
func (m *Model) judgeTLS(err error) (verdict, bool) {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	what, next := "", ""
	switch {
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		what, next = "it does not speak TLS", "write http:// instead of https:// in model.base_url, if the server is yours"
	case errors.As(err, &host):
		what, next = "its certificate is for another host", "use the name that the certificate has in model.base_url"
	case errors.As(err, &authority):
		what, next = "nobody known here has signed its certificate", "add its authority to the certificates of this system (or name the file in SSL_CERT_FILE); a company's proxy often needs that"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		what, next = "its certificate has expired, or is not valid yet", "look at the clock of this machine, and ask who runs the server for a new one"
	case errors.As(err, &invalid), errors.As(err, &verify), errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		what, next = m.hidden.quote(err.Error()), "look whether model.base_url is right, and whether a proxy stands in between"
	default:
		return verdict{}, false
	}
	e := &Error{Kind: KindTLS, What: fmt.Sprintf("no secure connection to %s: %s", m.addr, what), Next: next}
	return verdict{err: e, tries: triesOnce}, true
}

// cutOff is the verdict on a reply that had begun: nothing of it counts, and what would have been tried again is left
// to the caller, who has shown its first words.
func cutOff(v verdict) error {
	e, ok := v.err.(*Error)
	if !ok || v.tries == triesOnce {
		return v.err
	}
	cut := *e
	cut.What, cut.cause = "the reply was cut off: "+e.What, model.ErrCut
	return &cut
}
