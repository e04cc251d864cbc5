package openai

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
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
	for {
		u, ok := err.(*url.Error)
		if !ok {
			break
		}
		err = u.Err // the text around it shows the address with all that is in it
	}
	v := words{
		"error": m.hidden.quote(err.Error()), "host": m.addr.hostname(),
		"firstbyte": span(p.FirstByteTimeout.span()), "idle": span(p.IdleTimeout.span()),
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "proxyconnect" {
		v["proxy"] = ", which goes through the proxy of HTTPS_PROXY or HTTP_PROXY,"
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		v["host"] = m.hidden.quote(first(dns.Name, m.addr.hostname()))
	}
	return m.say(networkVerdict(err), v)
}

// networkVerdict is the name of what went wrong. Not every system has the same errors, but all have the same words.
func networkVerdict(err error) string {
	var dns *net.DNSError
	var timeout net.Error
	text := strings.ToLower(err.Error())
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	is := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
	}
	insecure := tlsVerdict(err)
	switch {
	case is(errFirstByte):
		return "first byte"
	case is(errSilent, errTail):
		return "silent"
	case is(errLine, errReply, model.ErrTooMuch):
		return "too large"
	case is(errBroken):
		return "broken"
	case insecure != "":
		return insecure
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no such host"
	case errors.As(err, &dns):
		return "no name server"
	case is(syscall.ECONNREFUSED) || has("connection refused", "actively refused"):
		return "not started"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case has("no route to host", "network is unreachable", "host is unreachable", "host is down"):
		return "out of reach"
	case has("malformed http response"):
		return "no HTTP"
	case is(io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE) ||
		has("connection reset", "broken pipe", "server closed", "goaway", "stream error", "unexpected eof", "forcibly closed", "aborted", "closed network connection"):
		return "broken off"
	}
	return "no answer"
}

// tlsVerdict knows the errors of secured connections, none of which goes away by itself; "": it is none.
func tlsVerdict(err error) string {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "no TLS"
	case errors.As(err, &host):
		return "another host"
	case errors.As(err, &authority):
		return "unsigned"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "expired"
	case errors.As(err, &invalid), errors.As(err, &verify), errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		return "insecure"
	}
	return ""
}

// cutOff is the verdict on a reply that had begun: nothing of it counts, and what would have been tried again is left
// to the caller, who has shown its first words.
func cutOff(v verdict, why error) error {
	e, ok := v.err.(*Error)
	much := errors.Is(why, model.ErrTooMuch)
	if !ok || v.tries == triesOnce && !much {
		return v.err
	}
	cut := *e
	cut.What, cut.cause = "the reply was cut off: "+e.What, model.ErrCut
	if much {
		cut.cause = model.ErrTooMuch
	}
	return &cut
}
