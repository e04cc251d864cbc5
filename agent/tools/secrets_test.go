package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestU73SecretFilesAreClosedForEveryTool names files that hold a secret, by their names and by their texts, to each tool.
func TestU73SecretFilesAreClosedForEveryTool(t *testing.T) {
	const hidden = "c3VwZXI-secret-value"
	s := reviewed(t)
	put := func(name, content string) {
		at := filepath.Join(s.Workspace(), name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	closed := map[string]string{
		".npmrc": "//registry.npmjs.org/:_authToken=" + hidden, ".docker/config.json": hidden, ".kube/config": hidden, ".config/gh/hosts.yml": hidden,
		".vault-token": hidden, "prod.env": hidden, "terraform.tfvars": hidden, "secrets.yaml": hidden, "id_rsa.bak": hidden, ".bash_history": hidden,
		"notes.txt": "-----BEGIN PRIVATE KEY-----\n" + hidden + "\n", "deploy/gcp.json": `{"type": "service_account", "private_key": "` + hidden + `"}`,
		".git/config": "[remote \"origin\"]\n\turl = https://me:" + hidden + "@example.com/x\n",
	}
	for name, content := range closed {
		put(name, content+"\n")
	}
	put(".env.example", "TOKEN=\n")
	refused := func(tool, arguments string, says string) {
		t.Helper()
		out := call(t, s, tool, arguments)
		if out.Status != "refused" || out.Code != "denied" || !strings.Contains(out.Hint, says) || strings.Contains(out.JSON(), hidden) {
			t.Errorf("%s(%s) = %s", tool, arguments, out.JSON())
		}
	}
	for name := range closed {
		for _, arguments := range []string{`read|{"path":%q}`, `memo_read|{"path":%q}`} {
			tool, arguments, _ := strings.Cut(arguments, "|")
			refused(tool, fmt.Sprintf(arguments, name), "is not read")
		}
		says := "this file holds keys or secrets and is not"
		if strings.HasPrefix(name, ".git/") {
			says = "git's own files"
		}
		for _, arguments := range []string{
			`memory_notebook_replace|{"path":%q,"old_text":"secret","new_text":"x"}`, `memo_append|{"path":%q,"text":"x"}`,
			`memory_notebook_replace_span|{"path":%q,"old_span_start":"secret","old_span_end":"value","new_text":"x"}`,
			`write|{"path":%q,"content":"x"}`, `delete_file|{"path":%q}`, `rename_file|{"path":%q,"to":"plain.txt"}`,
		} {
			tool, arguments, _ := strings.Cut(arguments, "|")
			refused(tool, fmt.Sprintf(arguments, name), says)
		}
	}
	refused("rename_file", `{"path":"a.txt","to":"prod2.env"}`, "is not edited")
	for _, step := range []struct{ tool, arguments, says string }{
		{"search_text", `{"pattern":"` + hidden + `"}`, "not searched for the keys or secrets in them: 12 files"},
		{"search_text", `{"pattern":"two"}`, "not searched for the keys or secrets in them: 12 files"},
		{"search_text", `{"pattern":"two","path":"*.txt"}`, "not searched for the keys or secrets in them: 1 file"},
		{"list_files", `{}`, `".env.example","a.txt","b.go","deploy/gcp.json","key.txt","notes.txt"],"hint":"not listed for the keys or secrets in them: 10 files`},
		{"list_files", `{"glob":"*.go"}`, `"total":1,"files":["b.go"]}`},
		{"memory_notebook_replace", `{"path":".env.example","old_text":"TOKEN=","new_text":"KEY="}`, "editing"},
		{"memo_preview", `{"format":"full"}`, "KEY="},
		{"memo_export_session", `{}`, `+ \"KEY\"`},
		{"memo_export_diff", `{}`, "KEY="},
	} {
		if out := call(t, s, step.tool, step.arguments).JSON(); !strings.Contains(out, step.says) || strings.Contains(strings.Replace(out, `"pattern":"`+hidden, "", 1), hidden) {
			t.Errorf("%s(%s) = %s, want %s", step.tool, step.arguments, out, step.says)
		}
	}
}
