package openai

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/galley-ls/galley/memory"
)

const (
	waitMost  = time.Minute
	waitFirst = time.Second
	loadFirst = 5 * time.Second // of a server that loads a model
)

// backoff is the wait behind try n, the first being 1: doubled each time, and not the same for everybody.
func backoff(first time.Duration, n int, random float64) time.Duration {
	wait := waitMost
	if n < 7 {
		wait = min(first<<(n-1), waitMost)
	}
	return min(time.Duration(float64(wait)*(0.75+random/2)), waitMost)
}

// comesBack tells whether the server itself says that it will take requests again soon.
func (f *failure) comesBack(now time.Time) bool {
	after := f.retryAfter(now)
	return after > 0 && after <= waitMost
}

var (
	saysDelay = memory.Pattern(`"retrydelay":\s*"([0-9.]+s)"`)
	saysAgain = memory.Pattern(`(?:try again|retry|retry after|again) in (?:about )?((?:[0-9.]+ ?(?:milliseconds?|ms|seconds?|s|minutes?|m|hours?|h)[ ,]*)+)`)
	saysAfter = memory.Pattern(`retry after ([0-9.]+) ?(?:s|seconds?)`)
)

// retryAfter is how long the server wants to be left alone; 0: it did not say. Headers go before words.
func (f *failure) retryAfter(now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(f.header.Get("retry-after-ms"), 64); err == nil && ms > 0 {
		return fromFloat(ms, time.Millisecond)
	}
	if d := delay(f.header.Get("Retry-After"), now); d > 0 {
		return d
	}
	if m := saysDelay().FindStringSubmatch(strings.ToLower(f.body())); m != nil {
		return delay(m[1], now)
	}
	if d := f.reset(now); d > 0 {
		return d
	}
	said := f.said()
	if m := saysAfter().FindStringSubmatch(said); m != nil {
		return delay(m[1], now)
	}
	if m := saysAgain().FindStringSubmatch(said); m != nil {
		return delay(spans.Replace(m[1]), now)
	}
	return 0
}

// spans makes what time.ParseDuration reads of a time in a sentence.
var spans = strings.NewReplacer(" ", "", ",", "", "milliseconds", "ms", "millisecond", "ms", "seconds", "s", "second", "s",
	"minutes", "m", "minute", "m", "hours", "h", "hour", "h")

// delay reads seconds, a time span, or a date.
func delay(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return fromFloat(seconds, time.Second)
	}
	if d, err := time.ParseDuration(text); err == nil {
		return max(d, 0)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

func fromFloat(n float64, unit time.Duration) time.Duration {
	if n <= 0 || math.IsNaN(n) {
		return 0
	}
	if n > 1e6*float64(time.Second)/float64(unit) {
		return 1e6 * time.Second
	}
	return time.Duration(n * float64(unit))
}

// epochs are the points from which on a number is a date, in seconds and in milliseconds.
const (
	epochSeconds = 1e9
	epochMillis  = 1e12
)

// reset reads the headers that say when a limit begins anew. Of several the one that is used up counts.
func (f *failure) reset(now time.Time) (longest time.Duration) {
	if f.status != http.StatusTooManyRequests {
		return 0
	}
	for _, part := range []string{"", "-requests", "-tokens"} {
		text := f.header.Get("x-ratelimit-reset" + part)
		if left := f.header.Get("x-ratelimit-remaining" + part); text == "" || left != "" && left != "0" {
			continue
		}
		d := delay(text, now)
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			switch {
			case n > epochMillis:
				d = time.UnixMilli(int64(n)).Sub(now)
			case n > epochSeconds:
				d = time.Unix(int64(n), 0).Sub(now)
			}
		}
		longest = max(longest, d)
	}
	if longest > 0 {
		return longest
	}
	return f.resetInBody(now)
}

// resetInBody is OpenRouter's: the headers of the server behind it stand in the error.
func (f *failure) resetInBody(now time.Time) time.Duration {
	metadata := objectOf(objectOf(objectOf(f.raw)["error"])["metadata"])
	for name, text := range objectOf(metadata["headers"]) {
		if ms, err := strconv.ParseFloat(scalar(text), 64); err == nil && strings.EqualFold(name, "X-RateLimit-Reset") && ms > epochMillis {
			return max(time.UnixMilli(int64(ms)).Sub(now), 0)
		}
	}
	return 0
}

// span is a time for people.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%.1f s", max(d.Seconds(), 0.1))
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", math.Ceil(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", math.Ceil(d.Minutes()))
	}
	return fmt.Sprintf("%.0f h", math.Ceil(d.Hours()))
}

func (d Duration) span() time.Duration { return time.Duration(d) }
