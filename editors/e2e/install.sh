#!/usr/bin/env bash
# install.sh NAME...    put editors under the prefix: npm helix nvim-stable nvim-newest code-server code-server-newest; the npm packages of
# the tests of the wire and of tokens: wire tokens. All of them are tried.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./lib.sh

npm_packages() ( # FOLDER: what package-lock.json says, once per change of it
  cd "$1"
  only_one npm
  stamp=$(sha256sum package-lock.json)
  if [ "$(cat node_modules/.stamp 2> /dev/null)" = "$stamp" ]; then exit 0; fi
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  echo "$stamp" > node_modules/.stamp
)
failed=()
for name in "$@"; do
  case $name in
    npm) npm_packages . || failed+=("$name") ;;
    wire | tokens) npm_packages "$name" || failed+=("$name") ;;
    helix) bash install-helix.sh "$E2E_PREFIX/hx" trixie || failed+=("$name") ;;
    nvim-stable) bash install-nvim.sh "$E2E_PREFIX/nvim-stable" trixie || failed+=("$name") ;;
    nvim-newest) bash install-nvim.sh "$E2E_PREFIX/nvim-newest" sid forky || failed+=("$name") ;;
    code-server) bash install-code-server.sh "$E2E_PREFIX/cs" || failed+=("$name") ;;
    code-server-newest) bash install-code-server.sh "$E2E_PREFIX/cs-newest" 4.139.1 || failed+=("$name") ;;
    *) echo "no editor $name" >&2; exit 2 ;;
  esac
done
[ ${#failed[@]} -eq 0 ] || { echo "not installed: ${failed[*]}" >&2; exit 1; }
