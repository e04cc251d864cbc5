package disk

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// TestU73SecretNames names files that hold keys or tokens, and such as only look like them (U39: examples).
func TestU73SecretNames(t *testing.T) {
	closed := `.env .env.local .env.production .env-prod .env_old .env.bak .env~ .env1 .envrc .envrc.private prod.env app.prod.env prod.env.local .ENV
		.npmrc home/.npmrc .npmrc.bak .netrc _netrc .pgpass pgpass.conf .pypirc .my.cnf .htpasswd .git-credentials .hgrc
		.docker/config.json home/me/.docker/config.json .dockercfg .kube/config .kube/config.d/prod kubeconfig prod.kubeconfig kubeconfig.yaml
		.config/gh/hosts.yml gh/hosts.yml .config/glab-cli/config.yml .config/hub .config/gcloud/legacy/adc.json .azure/msal_token_cache.json
		.vault-token .vault_pass.txt .aws/credentials .aws/config .ssh/config .ssh/known_hosts .gnupg/trustdb.gpg .local/share/keyrings/login.keyring
		terraform.tfvars prod.auto.tfvars x.tfvars.json terraform.tfstate terraform.tfstate.backup .terraformrc .terraform.d/credentials.tfrc.json
		secrets.yaml secrets.yml config/secrets.json secret.toml db-secrets.ini secrets.prod.yaml .secrets .secrets.toml credentials credentials.json
		gcp-credentials.json credentials.toml new_user_credentials.csv rootkey.csv client_secret_12.apps.json client-secret.json
		service-account.json serviceaccount-prod.json my_service_account.json credentials(1).json
		id_rsa id_rsa.bak id_ed25519.old id_ecdsa~ #id_rsa# .#id_rsa .id_rsa.swp id_rsa_old id_rsa.1 ID_RSA server.key server.key.orig cert.pem x.p12 x.ppk
		AuthKey.p8 vpn.ovpn my.kdbx login.keyring a.keychain-db secring.gpg release.keystore
		.bash_history .zsh_history .python_history .psql_history .local/share/fish/fish_history .history
		.git/config sub/.git/config .git/modules/x/config .git/worktrees/a/config.worktree bare.git/config .m2/settings.xml .composer/auth.json`
	open := `.env.example .env.sample .env.template .env.dist .env-example .env.local.example .env.example.bak .environment .environment.ts .envoy.yaml env.go
		example.env sample.env environment.env.md prod.env.example terraform.tfvars.example secrets.example.yaml secrets.yaml.dist .npmrc.example
		credentials.example.json secrets.go secrets.py credentials/main.go credentials.rs secretary.txt secret.md docs/secrets.md account.json accounts.csv
		id_rsa.pub keys.go monkey.txt kube/config config.json docker/config.json hosts.yml history price_history history.md .gitconfig .git/HEAD git/config
		gh/main.go package.json .github/workflows/x.yml service_account.go serviceaccount.yaml tokens.json token.go .dockerignore .yarnrc.yml known_hosts
		app.env.d.ts vault.go keyrings.go keys/main.go pem key config x.tfvars.md`
	for list, want := range map[string]bool{closed: true, open: false} {
		for _, name := range strings.Fields(list) {
			if got := secretPath(fold(name)); got != want {
				t.Errorf("%s is secret: %v", name, got)
			}
		}
	}
}

const someKey = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n-----END OPENSSH PRIVATE KEY-----\n"

// TestU73SecretTexts has texts that are keys, whatever their file is called, and such as only speak of them.
func TestU73SecretTexts(t *testing.T) {
	const cert = "-----BEGIN CERTIFICATE-----\nMIIB+z/=\n-----END CERTIFICATE-----\n"
	for content, want := range map[string]bool{
		someKey:            true,
		"\ufeff" + someKey: true,
		"\n\n" + someKey:   true,
		"# mine\r\n\r\n" + strings.ReplaceAll(someKey, "\n", "\r\n"):                                             true,
		strings.Replace(someKey, "OPENSSH ", "", 2):                                                              true,
		strings.Replace(someKey, "OPENSSH", "RSA", 2):                                                            true,
		strings.Replace(someKey, "OPENSSH", "ENCRYPTED", 2):                                                      true,
		"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: x\n":                                                    true,
		"-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + someKey:               true,
		"Bag Attributes\n    friendlyName: me\n    localKeyID: 01 \nKey Attributes: <No Attributes>\n" + someKey: true,
		cert + cert + someKey:                                                true,
		"PuTTY-User-Key-File-2: ssh-rsa\n":                                   true,
		"# created: 2024\n# public key: age1x\nAGE-SECRET-KEY-1QQ\n":         true,
		"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n":                       true,
		"{\n  \"type\": \"service_account\",\n  \"private_key\": \"x\"\n}\n": true,
		"{\"refresh_token\":\"x\",\"type\":\"authorized_user\"}":             true,
		"":   false,
		cert: false,
		"-----BEGIN PUBLIC KEY-----\nMII=\n-----END PUBLIC KEY-----\n": false,
		"ssh-ed25519 AAAA me@here\n":                                   false,
		"How to read a key:\n\n" + someKey:                             false,
		"package x\n\nconst key = `" + someKey + "`\n":                 false,
		"{\"type\": \"service_account\"}":                              false,
		"{\"private_key\": \"x\"}":                                     false,
		"var a = {\"type\": \"service_account\", \"private_key\": 1}":  false,
		strings.Repeat("# a remark\n", 10_000):                         false,
	} {
		if got := HoldsKey(text.New(content)); got != want {
			t.Errorf("%.60q is a key: %v", content, got)
		}
	}
}

// TestU73KeysAreClosed reads, lists and writes what is a key by its text.
func TestU73KeysAreClosed(t *testing.T) {
	dir := workspace(t, map[string]string{"notes.txt": someKey, "mine/notes.txt": someKey, "a.txt": "a", "prod.env": "A=1", "x -> notes.txt": "", ".kube/config": "", "mine/id_rsa": ""})
	r, err := Open([]string{dir}, nil, []string{"mine/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notes.txt", "x", "prod.env", ".kube/config"} {
		_, err := r.Read(name)
		wantCode(t, err, CodeDenied)
		if strings.Contains(err.Error(), "b3BlbnN") {
			t.Errorf("the error shows the key: %v", err)
		}
	}
	key, err := r.Read("mine/notes.txt")
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Resolve("mine/notes.txt", true)
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, r.Permit("mine/notes.txt", p, key, true), CodeDenied)
	files, secrets, err := r.List("")
	if got := strings.Join(files, " "); got != "a.txt mine/id_rsa mine/notes.txt notes.txt" || secrets != 2 || err != nil {
		t.Errorf("listed %s, without %d secrets, %v", got, secrets, err)
	}
}

// A workspace may be the very folder that a tool keeps its tokens in.
func TestU73TheFolderOfATool(t *testing.T) {
	dir := workspace(t, map[string]string{".docker/config.json": "{}", ".config/gh/hosts.yml": "x", ".kube/config": "x"})
	for root, name := range map[string]string{".docker": "config.json", ".config": "gh/hosts.yml", ".config/gh": "hosts.yml", ".kube": "config"} {
		_, err := open(t, dir+"/"+root).Read(name)
		wantCode(t, err, CodeDenied)
	}
}
