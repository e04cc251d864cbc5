package match

import (
	"math/bits"
	"unicode/utf8"
)

// alike is 2·LCS/(a+b) over code points.
func alike(a, b string) float64 {
	n, m := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if n+m == 0 {
		return 1
	}
	return 2 * float64(common(a, b)) / float64(n+m)
}

// common is the length of a longest common subsequence of code points.
func common(a, b string) int {
	x, y := []rune(a), []rune(b)
	n := 0
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		n, x, y = n+1, x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		n, x, y = n+1, x[:len(x)-1], y[:len(y)-1]
	}
	if len(x) == 0 || len(y) == 0 {
		return n
	}
	return n + commonBits(x, y)
}

// commonBits works on 64 rows of the table at once (Hyyrö 2004): a bit of v is 0
// where the length grows.
func commonBits(x, y []rune) int {
	words := (len(x) + 63) / 64
	where := positions(x, words)
	v := make([]uint64, words)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, r := range y {
		p := where[r]
		if p == nil {
			continue
		}
		carry := uint64(0)
		for i := range v {
			sum, c := bits.Add64(v[i], v[i]&p[i], carry)
			v[i], carry = sum|v[i]&^p[i], c
		}
	}
	n := 0
	for i, w := range v {
		if rest := len(x) - 64*i; rest < 64 {
			w |= ^uint64(0) << rest
		}
		n += 64 - bits.OnesCount64(w)
	}
	return n
}

// positions are the bit sets of where each code point stands.
func positions(x []rune, words int) map[rune][]uint64 {
	where := make(map[rune][]uint64)
	for i, r := range x {
		p := where[r]
		if p == nil {
			p = make([]uint64, words)
			where[r] = p
		}
		p[i/64] |= 1 << (i % 64)
	}
	return where
}
