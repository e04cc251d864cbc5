package tools

import (
	"slices"
	"testing"
)

func TestEnvironment(t *testing.T) {
	secrets := []string{"sk-0123456789", "tiny", ""}
	kept := []string{
		"PATH=/bin", "HOME=/home/me", "LANG=C", "EMPTY=", "ODD", "=C:=C:\\", "KEYBOARD=de", "TOKENIZERS_PARALLELISM=false", "MONKEY=1",
		"SSH_AUTH_SOCK=/tmp/agent", "GOFLAGS=-mod=mod", "URL=https://example.org/a?b=c", "AUTHOR=me", "COMPASS=n", "EDITOR=vi",
		"EQ=a=b", "LS_COLORS=di=01:*.key=00;33:*.token=01", "OLDPWD=/x", "BIND=key=esc", "GIT=https://me@example.org/x",
	}
	gone := []string{
		"OPENAI_API_KEY=x", "MY_TOKEN=x", "GITHUB_PAT=x", "AWS_SECRET_ACCESS_KEY=x", "DB_PASSWORD=x", "PGPASSWORD=x", "npm_config__authToken=x",
		"GOOGLE_APPLICATION_CREDENTIALS=/x", "DATABASE_URL=postgres://me:pass@host/db", "SOME_KEY=", "SESSION_COOKIE=x", "MAIL_PASS=x",
		"HARMLESS=sk-0123456789", "INSIDE=Bearer sk-0123456789 x", "SHORT=tiny", "MIRRORS=https://a.example,https://me:pass@b.example/x", "STORAGE=AccountName=me;AccountKey=abcdefgh==;Suffix=x",
		"SQL=Server=x;User=me;Pwd=hunter2hunter2", "JAVA_OPTS=-Djavax.net.ssl.keyStorePassword=hunter2hunter2", "HEADERS=Authorization: Basic abc", "LINE=bearer x", "sshPrivateKey=x",
		"PWD=/elsewhere", "TERM=xterm", "PAGER=less", "NO_COLOR=", "GIT_TERMINAL_PROMPT=1",
	}
	got := environment(slices.Concat(kept, gone), secrets, "/home/me/app", "01SESSION")
	want := slices.Concat(kept, forCommands, []string{"PWD=/home/me/app", "GALLEY_INSIDE=01SESSION"})
	if !slices.Equal(got, want) {
		for _, kv := range got {
			if !slices.Contains(want, kv) {
				t.Errorf("%s is left", kv)
			}
		}
		for _, kv := range want {
			if !slices.Contains(got, kv) {
				t.Errorf("%s is missing", kv)
			}
		}
	}
}
