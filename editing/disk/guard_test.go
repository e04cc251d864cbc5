package disk

import "testing"

func TestGuard(t *testing.T) {
	const read, write, both = "read", "write", "both"
	dir := workspace(t, map[string]string{
		"notes.txt -> .env":      "",
		".env.link -> open.txt":  "",
		"gitlink -> .git/config": "",
		"open.txt":               "",
		".env":                   "",
		".git/config":            "",
	})
	r, err := Open([]string{dir}, []string{"vendor/", "*.lock", "!Keep.lock", "/only/top.txt", "Mixed.TXT", "\u200b!yarn.lock", "*.UP[[:upper:]]"}, []string{"test.pem", "fixtures/"})
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct{ path, closed string }{
		{"main.go", ""},
		{".gitignore", ""},
		{"git/config", ""},
		{".github/x.yml", ""},
		{".git/config", both}, // a remote's address may hold a token
		{".git/HEAD", write},
		{".git", write},
		{"sub/.git/hooks/pre-commit", write},
		{".GIT/config", both},
		{".g\u200cit/config", both},
		{".git./config", both},
		{".galley/config.yaml", write},
		{"sub/.Galley/prompts/system.md", write},
		{".galleyrc", ""},
		{"gitlink", both},
		{".env", both},
		{".env.local", both},
		{"sub/.ENV.production", both},
		{"notes.txt", both}, // leads to .env
		{".env.link", both}, // named like a secret
		{"server.pem", both},
		{"test.pem", write},
		{"fixtures/server.key", write},
		{"id_rsa", both},
		{"id_rsa.pub", ""},
		{".ssh/config", both},
		{"x/.aws/config", both},
		{".netrc", both},
		{"credentials", both},
		{"credentials/main.go", ""},
		{"keys.go", ""},
		{"vendor/x/y.go", write},
		{"sub/vendor/y.go", write},
		{"vendor", ""},
		{"yarn.lock", write},
		{"keep.lock", ""},
		{"x.upa", write},
		{"only/top.txt", write},
		{"sub/only/top.txt", ""},
		{"mixed.txt", write},
	}
	for _, c := range cases {
		for _, w := range []bool{false, true} {
			_, err := r.Resolve(c.path, w)
			switch closed := c.closed == both || w && c.closed == write || !w && c.closed == read; {
			case closed && err == nil:
				t.Errorf("Resolve(%q, write %v) is open, want it closed", c.path, w)
			case closed:
				wantCode(t, err, CodeDenied)
			case err != nil:
				t.Errorf("Resolve(%q, write %v): %v", c.path, w, err)
			}
		}
	}
}
