#!/usr/bin/env bash
# lint.sh: stylua and luacheck over the plugin and its tests. Writes nothing but .cache/.
set -euo pipefail
cd "$(dirname "$0")/.."
../../.ci/provision.sh stylua luacheck
cache=../../.cache
if [[ -x $cache/stylua/stylua ]]; then
  echo "stylua --check editors/nvim"
  "$cache/stylua/stylua" --config-path .stylua.toml --check . ../nvim-plain.lua || { echo "run: .cache/stylua/stylua editors/nvim" >&2; exit 1; }
fi
if [[ -x $cache/luacheck/luacheck ]]; then
  echo "luacheck editors/nvim"
  "$cache/luacheck/luacheck" --quiet --no-color --config .luacheckrc . ../nvim-plain.lua
fi
