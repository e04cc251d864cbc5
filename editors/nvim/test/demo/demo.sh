#!/usr/bin/env bash
# demo.sh: a Neovim with the plugin on a sample project, with the offline model: no key, no network. All of it lies in a
# temporary folder, which goes when Neovim ends; your own configuration is neither read nor written.
set -euo pipefail
cd "$(dirname "$0")/../../../.."

nvim=.cache/nvim-0.12/nvim-0.12
if [[ ! -x $nvim ]]; then
  nvim=$(command -v nvim || true)
  { [[ $nvim ]] && "$nvim" --headless --clean +'exe has("nvim-0.10") ? "qall!" : "cquit"' 2>/dev/null; } || nvim=""
fi
[[ $nvim ]] || { .ci/provision.sh nvim-0.12 && nvim=.cache/nvim-0.12/nvim-0.12; }
[[ -x $nvim ]] || { echo "there is no Neovim 0.10 or newer here, and none could be brought" >&2; exit 1; }

folder=$(mktemp -d "${TMPDIR:-/tmp}/galley-demo.XXXXXX")
# The server may still be writing its last words.
trap 'until rm -rf "$folder" 2>/dev/null && [[ ! -e $folder ]]; do sleep 0.1; done' EXIT
mkdir -p "$folder/config/nvim"
cp -r testdata/demo "$folder/shop"
cp editors/nvim/test/demo/init.lua "$folder/config/nvim"
export PLUGIN=$PWD/editors/nvim GALLEY_HOME=$folder/galley PATH=$PWD/bin:$PATH
export XDG_CONFIG_HOME=$folder/config XDG_DATA_HOME=$folder/data XDG_STATE_HOME=$folder/state XDG_CACHE_HOME=$folder/cache
unset GALLEY_MODEL_BASE_URL GALLEY_MODEL_MODEL
nvim=$(realpath "$nvim")
cd "$folder/shop"
"$nvim" "$@"
