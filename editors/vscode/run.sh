#!/usr/bin/env bash
# run.sh build|check|test|package [TARGET…]: what make does with the extension. check: types, eslint, and that the settings in
# package.json are those of `galley config schema`. package: a .vsix with the program for each platform as VS Code calls
# them (linux-x64, darwin-arm64, win32-x64, …), this machine's if none is named; "universal" has no program in it.
# Needs Node 20; writes node_modules, dist and bin here.
set -euo pipefail
cd "$(dirname "$0")"
vsce=@vscode/vsce@3.9.2

command -v npm >/dev/null || {
  echo "skip editors/vscode: there is no npm (Node 20 or newer) here"
  [[ ${CI:-} != true ]] || { echo "in continuous integration nothing is left out" >&2; exit 1; }
  exit 0
}
if [[ package-lock.json -nt node_modules/.package-lock.json ]]; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi

target_of_machine() {
  node -p '`${process.platform}-${process.arch === "arm" ? "armhf" : process.arch}`'
}

# program TARGET: the program for a platform, in bin.
program() {
  local os=${1%-*} arch=${1#*-}
  case $os in
    win32) os=windows ;;
    alpine) os=linux ;;
  esac
  [[ $arch != x64 ]] || arch=amd64
  [[ $arch != armhf ]] || arch=arm
  local exe=galley
  [[ $os != windows ]] || exe=galley.exe
  (cd ../.. && CGO_ENABLED=0 GOOS=$os GOARCH=$arch "${GO:-go}" build -buildvcs=false -trimpath \
    -ldflags "-s -w -X github.com/galley-ls/galley/cmd/galley/internal/cli.version=${VERSION:-dev}" -o "editors/vscode/bin/$exe" ./cmd/galley)
}

what=${1:?run.sh build, check, test or package}
shift
case $what in
  build) node scripts/build.mjs ;;
  check)
    echo "tsc, eslint editors/vscode"
    npx --no-install tsc
    npx --no-install eslint --max-warnings 0 src test
    (cd ../.. && "${GO:-go}" run ./cmd/galley config schema) | node scripts/settings.mjs --check
    ;;
  test) node scripts/test.mjs ;;
  package)
    version=$(node -p 'require("./package.json").version')
    (($# > 0)) || set -- "$(target_of_machine)"
    for target; do
      rm -rf bin
      options=(--target "$target")
      if [[ $target == universal ]]; then options=(); else program "$target"; fi
      npx --yes "$vsce" package --no-dependencies "${options[@]}" --out "galley-$target-$version.vsix"
    done
    ;;
  *)
    sed -n '2,5s/^# //p' "$0" >&2
    exit 2
    ;;
esac
