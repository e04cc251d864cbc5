#!/usr/bin/env bash
# run.sh [VERSION…]: the plugin's tests in the real Neovim, with the real galley. Without versions in 0.10 and 0.12, side
# by side. ONLY=PATTERN runs the cases whose names match (a Lua pattern); UPDATE=1 writes the captured screens anew;
# KEEP=1 keeps the folders of failed cases.
set -euo pipefail
cd "$(dirname "$0")"
versions=("${@:-0.10}")
(($#)) || versions=(0.10 0.12)
[[ -x ../../../bin/galley && -x ../../../.cache/modelserver ]] || { echo "run make nvim: it builds what this needs" >&2; exit 1; }
../../../.ci/provision.sh "${versions[@]/#/nvim-}"

export GALLEY_HOST=${GALLEY_HOST-off} # a kill ends galley whole; GALLEY_HOST= has a host beside
root=$(mktemp -d "${TMPDIR:-/tmp}/galley-nvim.XXXXXX")
trap '[[ ${KEEP:-} ]] && echo "kept: $root" || rm -rf "$root"' EXIT

# run VERSION: in a Neovim of that version, which drives others of the same.
run() {
  local nvim=$PWD/../../../.cache/nvim-$1/nvim-$1
  NVIM_UNDER_TEST=$(realpath "$nvim") NVIM_VERSION=$1 TEST_ROOT=$root/$1 XDG_STATE_HOME=$root/state \
    MODELSERVER=$(realpath ../../../.cache/modelserver) \
    "$nvim" --headless --clean -i NONE -c 'luafile run.lua' 2>&1 </dev/null
}

jobs=()
for version in "${versions[@]}"; do
  [[ -x ../../../.cache/nvim-$version/nvim-$version ]] || continue # provision.sh has said why
  run "$version" &
  jobs+=($!)
done
failed=0
for job in "${jobs[@]}"; do wait "$job" || failed=1; done
exit $failed
