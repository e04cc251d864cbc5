package disk

import (
	"path"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// secretPlaces end a path or, with a slash at their end, lie on it: what tools keep tokens in under common names.
var secretPlaces = []string{
	".ssh/", ".aws/", ".azure/", ".gnupg/", ".kube/", ".password-store/", "keyrings/", ".config/gcloud/", ".config/op/",
	".docker/config.json", "containers/auth.json", "composer/auth.json", ".composer/auth.json", ".codex/auth.json", "opencode/auth.json",
	"gh/hosts.yml", "gh/hosts.yaml", "glab-cli/config.yml", "doctl/config.yaml", ".config/hub", ".snowsql/config", ".fly/config.yml",
	".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties",
}

// keyNames and keyEnds are of files with keys, whatever else is said of them.
var (
	keyNames = words(`id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk`)
	keyEnds  = words(`.pem .key .p8 .p12 .pkcs12 .pfx .jks .bks .keystore .ppk .kdb .kdbx .keyring .keychain .keychain-db
		.kwallet .agekey .ovpn`)
)

// The others hold passwords and tokens, unless they are examples of such files. Tools keep their own with a dot before
// the name, and people without.
var (
	tokenNames = words(`.env .envrc .dev.vars .netrc _netrc .authinfo .pgpass pgpass.conf .my.cnf .mylogin.cnf .pypirc .npmrc npmrc
		.htpasswd .hgrc hgrc .s3cfg .boto .databrickscfg .dockercfg .dockerconfigjson .terraformrc terraform.rc
		.git-credentials git-credentials .credentials credentials .secret .secrets .token .tokens token.json credentials.tfrc.json
		.vault-token vault-token .vault_pass vault_pass .vault_pass.txt vault_pass.txt .vault-password .vault_password
		kubeconfig kubeconfig.yaml kubeconfig.yml rclone.conf ngrok.yml rootkey.csv secring.gpg fish_history .history .zhistory
		consolehost_history.txt`)
	tokenEnds = words(`.env .tfvars .tfstate .kubeconfig`)
	// holders, among data and among what begins with a dot, say in a word what they hold: secrets.yaml, and not secrets.go.
	holders = text.Pattern(`^\.env(?:[^a-z]|rc\.)|^\.dev\.vars\.|^\..+_history$|\.env\.local$|\.tfvars\.json$|[-_.]kubeconfig\.ya?ml$|accesskeys\.csv$` +
		`|(?:^|[-_.])(?:credentials?|secrets?)(?:[-_. (].*)?\.[a-z]+$` +
		`|(?:^|[-_.])(?:client[-_]secrets?|service[-_]?accounts?)(?:[-_. (].*)?\.json$`)
)

// dataEnds end the names of data, and telling stands in those that are looked at more closely.
var (
	dataEnds = words(`.json .toml .yaml .yml .xml .ini .cfg .conf .csv .db .properties .txt .local`)
	telling  = []string{"secret", "credential", "account", ".env.", ".tfvars.", "kubeconfig", "accesskeys"}
)

func tells(name string) bool {
	return slices.ContainsFunc(telling, func(word string) bool { return strings.Contains(name, word) })
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// examples show what such a file would hold.
var examples = text.Pattern(`(?:^|[-_.])(?:example|sample|template|dist)(?:\.(?:env|tfvars|json|toml|ya?ml|xml|ini|cfg|conf|csv|properties|txt))?$`)

// remotes are the settings of a repository: an address in them may hold a token.
var remotes = text.Pattern(`\.git[. ]*/(?:.*/)?config(?:\.worktree)?$`)

// secretPath says whether a file holds keys or secrets by its path, which is folded.
func secretPath(folded string) bool {
	slashed := "/" + strings.TrimLeft(folded, "/")
	for _, p := range secretPlaces {
		if strings.HasSuffix(slashed, "/"+p) || strings.HasSuffix(p, "/") && strings.Contains(slashed, "/"+p) {
			return true
		}
	}
	name := original(path.Base(slashed))
	end := path.Ext(name)
	switch {
	case keyNames[name], keyEnds[end], strings.Contains(slashed, ".git") && remotes().MatchString(slashed):
		return true
	case tokenNames[name], tokenEnds[end], (name[0] == '.' || dataEnds[end] && tells(name)) && holders().MatchString(name):
		return !examples().MatchString(name)
	}
	return false
}

// copies end the names of copies that editors and people keep.
var copies = words(`bak backup old orig save copy swp swo swn`)

// original is the name of what a file is a copy of.
func original(name string) string {
	for {
		before := strings.TrimRight(strings.TrimLeft(strings.TrimPrefix(name, ".#"), "~#"), "~#. ")
		if i := strings.LastIndexAny(before, "-_. "); i > 0 && (copies[before[i+1:]] || strings.Trim(before[i+1:], "0123456789") == "") {
			swap := strings.HasPrefix(before[i+1:], "sw")
			if before = before[:i]; swap {
				before = strings.TrimPrefix(before, ".")
			}
		}
		if before == name || before == "" {
			return name
		}
		name = before
	}
}

// A private key begins a text, behind nothing but what tools write above one: other blocks, attributes, remarks. An
// account's JSON has its key and says what it is.
var (
	keyHead = text.Pattern(`^\s*(?:` +
		`(?:#.*|(?:Bag|Key) Attributes.*|[ \t]+\S[^:\n]*:.*|(?:subject|issuer)[ =:].*|)\r?\n` +
		`|-----BEGIN (?:X509 |TRUSTED )?(?:CERTIFICATE|PUBLIC KEY|(?:EC|DH) PARAMETERS)-----[^-]*-----END [A-Z0-9 ]+-----` +
		`)*\s*(?:` +
		`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----` +
		`|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1|-----BEGIN OpenVPN Static key)`)
	account = text.Pattern(`"type"\s*:\s*"(?:service_account|authorized_user)"`)
	private = text.Pattern(`"(?:private_key|refresh_token)"\s*:`)
)

// headSize is how far into a text it is looked for.
const headSize = 64 << 10

// HoldsKey says whether a text is a private key or an account with one, whatever its file is called.
func HoldsKey(t text.Text) bool {
	head := t.Slice(0, min(t.Len(), headSize))
	return keyHead().MatchString(head) || strings.HasPrefix(strings.TrimSpace(head), "{") && account().MatchString(head) && private().MatchString(head)
}
