package openai

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/model"
)

func TestRetryAfter(t *testing.T) {
	in := func(d time.Duration) string { return today.Add(d).Format(http.TimeFormat) }
	tests := []struct {
		name   string
		status int
		header map[string]string
		body   string
		want   time.Duration
	}{
		{"nothing", 429, nil, `{}`, 0},
		{"seconds", 429, map[string]string{"Retry-After": "7"}, "", 7 * time.Second},
		{"a part of a second", 503, map[string]string{"Retry-After": "0.5"}, "", 500 * time.Millisecond},
		{"none", 503, map[string]string{"Retry-After": "0"}, "", 0},
		{"a date", 429, map[string]string{"Retry-After": in(9 * time.Second)}, "", 9 * time.Second},
		{"a date that has passed", 429, map[string]string{"Retry-After": in(-time.Hour)}, "", 0},
		{"milliseconds", 429, map[string]string{"retry-after-ms": "250", "Retry-After": "7"}, "", 250 * time.Millisecond},
		{"nonsense", 429, map[string]string{"Retry-After": "soon", "retry-after-ms": "x"}, "", 0},
		{"endless", 429, map[string]string{"Retry-After": "1e300"}, "", 1e6 * time.Second},
		{"OpenAI's spans", 429, map[string]string{"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "12", "x-ratelimit-reset-tokens": "2.5s", "x-ratelimit-remaining-tokens": "0"}, "", 2500 * time.Millisecond},
		{"none used up", 429, map[string]string{"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "12"}, "", 0},
		{"a date in milliseconds", 429, map[string]string{"x-ratelimit-reset": "1772625605000"}, "", 5 * time.Second},
		{"a date in seconds", 429, map[string]string{"x-ratelimit-reset": "1772625605"}, "", 5 * time.Second},
		{"a limit that did not refuse", 503, map[string]string{"x-ratelimit-reset": "30"}, "", 0},
		{"OpenRouter's", 429, nil, `{"error":{"message":"x","metadata":{"headers":{"X-RateLimit-Reset":"1772625605000"}}}}`, 5 * time.Second},
		{"Gemini's", 429, nil, `[{"error":{"message":"x","details":[{"@type":"RetryInfo","retryDelay":"34s"}]}}]`, 34 * time.Second},
		{"words", 429, nil, `{"error":{"message":"Please try again in 1m2.5s. Thanks."}}`, 62500 * time.Millisecond},
		{"milliseconds in words", 429, nil, `{"error":{"message":"Please try again in 20ms."}}`, 20 * time.Millisecond},
		{"Azure's words", 429, nil, `{"error":{"message":"Please retry after 10 seconds."}}`, 10 * time.Second},
		{"long words", 429, nil, `{"error":{"message":"try again in 2 minutes, 3 seconds"}}`, 123 * time.Second},
	}
	for _, test := range tests {
		h := http.Header{}
		for name, value := range test.header {
			h.Set(name, value)
		}
		if got := newFailure(test.status, h, []byte(test.body)).retryAfter(today); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestBackoff(t *testing.T) {
	for n := 1; n < 100; n++ {
		for _, random := range []float64{0, 0.5, 0.999} {
			got := backoff(waitFirst, n, random)
			if got <= 0 || got > waitMost || n == 3 && (got < 3*time.Second || got > 5*time.Second) {
				t.Errorf("try %d, %g: wait %s", n, random, got)
			}
		}
	}
	if backoff(waitFirst, 1, 0) == backoff(waitFirst, 1, 0.9) {
		t.Error("everybody waits as long as everybody else")
	}
}

// The waits between tries, and what is told of them.
func TestWaits(t *testing.T) {
	good := answer{body: events(says("Hi"), end("stop"))}
	tests := []struct {
		name    string
		answers []answer
		waits   []time.Duration
		told    string
	}{
		{"as long as the server wants", []answer{{status: 429, header: map[string]string{"Retry-After": "4"}}, good}, []time.Duration{4 * time.Second}, "429 from model.test, again in 4 s (2 of 5)\n"},
		{"longer each time", []answer{{status: 500}, {status: 503}, {body: ""}, good}, []time.Duration{1e9, 2e9, 4e9}, "500 from model.test, again in 1 s (2 of 5)\n503 from model.test, again in 2 s (3 of 5)\nconnection broken by model.test, again in 4 s (4 of 5)\n"},
		{"a model is loaded", []answer{{status: 503, body: `{"error":{"message":"Loading model"}}`}, good}, []time.Duration{5e9}, "503 from model.test, again in 5 s (2 of 5)\n"},
		{"an empty reply", []answer{{body: events()}, good}, nil, "an empty reply from model.test, asking once more\n"},
		{"thoughts only", []answer{{body: events(delta(`{"reasoning":"hm"}`), end("stop"))}, good}, nil, "an empty reply from model.test, asking once more\n"},
	}
	for _, test := range tests {
		clock := &instant{}
		m, w := testModel(t, Config{Clock: clock}, test.answers...)
		reply, heard, err := stream(t, m, ask())
		if err != nil || reply.Message.Content != "Hi" || !slices.Equal(clock.waits, test.waits) || heard.waiting != test.told {
			t.Errorf("%s: got %+v, %v; waited %v, told %q", test.name, reply, err, clock.waits, heard.waiting)
		}
		if len(w.requests()) != len(test.answers) || string(w.requests()[0].body) != string(w.requests()[len(test.answers)-1].body) {
			t.Errorf("%s: %d requests, or not the same", test.name, len(w.requests()))
		}
	}
}

func TestFewerTries(t *testing.T) {
	m, w := testModel(t, Config{Tries: 1}, answer{status: 500})
	if _, heard, err := stream(t, m, ask()); err == nil || len(w.requests()) != 1 || heard.waiting != "" || strings.Contains(err.Error(), "tried") {
		t.Errorf("got %v with %d requests, told %q", err, len(w.requests()), heard.waiting)
	}
}

func TestACancelEndsAWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m, w := testModel(t, Config{Clock: systemClock{}}, answer{status: 429, header: map[string]string{"Retry-After": "60"}})
	_, err := m.Stream(ctx, ask(), func(d model.Delta) {
		if d.Waiting != "" {
			cancel()
		}
	})
	if err != context.Canceled || len(w.requests()) != 1 {
		t.Errorf("got %v with %d requests", err, len(w.requests()))
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.1 s", 250 * time.Millisecond: "0.2 s", 4 * time.Second: "4 s", 61 * time.Second: "61 s", 10 * time.Minute: "10 min", 24 * time.Hour: "24 h",
	} {
		if got := span(d); got != want {
			t.Errorf("%s is told as %q, want %q", d, got, want)
		}
	}
}
