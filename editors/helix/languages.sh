#!/bin/sh
# languages.sh FILE... > ~/.config/helix/languages.toml: galley in every language that Helix knows, behind the servers that
# the language has anyway, since Helix starts a server only for languages that name it, and a list replaces the one that Helix
# comes with. FILE is the languages.toml of your version of Helix (hx --version says which):
#   https://raw.githubusercontent.com/helix-editor/helix/VERSION/languages.toml
# With several files, it is the languages that all of them have, with the servers of the first. languages.toml beside this is
# made so from 25.07.1 and what Helix has become by July 2026: a language that a Helix does not know is an error there.
set -eu
cat <<'HEAD'
# galley in Helix, in all languages: put it at ~/.config/helix/languages.toml, or add to yours what it has and yours has not.
# Made by languages.sh, which says how to make it for another version of Helix.

[language-server.galley]
command = "galley"
args = ["serve"]
# config = { ui = { icons = false } }   # settings, see docs/protocol.md
HEAD
awk '
function told() {
	if (name != "" && files == 1) {
		sub(/^[^\[]*\[[ \t]*/, "", list); sub(/[ \t,]*\][^\]]*$/, "", list)
		lists[name] = list; order[++n] = name
	}
	if (name != "") seen[name]++
	name = list = ""
}
FNR == 1 { told(); files++ }
/^\[/ { told(); within = /^\[\[language\]\]/; open = 0 }
within && /^name[ \t]*=/ { name = $0; sub(/^name[ \t]*=[ \t]*/, "", name); sub(/[ \t]*(#.*)?$/, "", name) }
within && /^language-servers[ \t]*=/ { open = 1; list = "" }
open { gsub(/[ \t]+/, " "); list = list $0; open = $0 !~ /\][ \t]*(#.*)?$/ }
END {
	told()
	for (i = 1; i <= n; i++) if (seen[name = order[i]] == files) {
		printf "\n[[language]]\nname = %s\nlanguage-servers = [%s\"galley\"]\n", name, lists[name] == "" ? "" : lists[name] ", "
	}
}
' "$@"
