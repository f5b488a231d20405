#!/usr/bin/env bash
# helix-tui.sh HX FOREWORD    Helix's LSP client as a third opinion, on its screen in tmux.
set -euo pipefail
HX=$1 BIN=$2
D=$(mktemp -d)
passed=0 failed=0
tm() { tmux -L "helix$$" -f /dev/null "$@"; }
cleanup() {
  tm kill-server 2> /dev/null || true
  rm -rf "$D"
}
trap cleanup EXIT

screen() { tm capture-pane -p -t r; }
see() { # NAME REGEX: poll the screen for it
  local _
  for _ in $(seq 200); do
    if screen | grep -qE "$2"; then
      passed=$((passed + 1))
      echo "ok - $1"
      return
    fi
    sleep 0.05
  done
  failed=$((failed + 1))
  echo "not ok - $1: no /$2/ on the screen:"
  screen | sed 's/^/    /'
}
keys() { # Helix reads Escape and the key behind it as Alt-key unless they come apart
  local k
  for k in "$@"; do
    tm send-keys -t r "$k"
    if [ "$k" = Escape ]; then sleep 0.3; fi
  done
}

mkdir -p "$D/c/helix" "$D/repo/pay"
cd "$D/repo"
git init -q
echo 'Use the metric system.' > AGENTS.md
echo 'Amounts are cents.' > pay/AGENTS.md
printf 'package pay\n\nvar x = 1\n' > pay/x.any
cat > "$D/c/helix/languages.toml" <<L
[language-server.foreword]
command = "$BIN"
args = ["serve"]
[[language]]
name = "any"
scope = "source.any"
file-types = ["any", "md"]
roots = [".git"]
language-servers = ["foreword"]
L
export HOME=$D XDG_CONFIG_HOME=$D/c XDG_CACHE_HOME=$D/k XDG_STATE_HOME=$D/s XDG_DATA_HOME=$D/d LC_ALL=C.UTF-8 COLORTERM=truecolor
tm new-session -d -s r -x 110 -y 34 "$HX pay/x.any; sleep 60"
see "the file is shown" 'var x = 1'
keys Space k
see "hover on line 1: the nested instructions" 'pay/AGENTS\.md'
see "hover on line 1: the outer instructions" '(^|[^/])AGENTS\.md'
keys Escape Space a
see "code action: preview" 'Preview the prompt for this file'
see "code action: explain" 'Explain instructions for this file'
keys Escape
keys Space d
see "no diagnostics" '0/0'
keys Escape ':open AGENTS.md' Enter
see "AGENTS.md is shown" 'metric system'
keys '%' d
sleep 0.2
keys ':open pay/x.any' Enter
see "back in the source" 'var x = 1'
keys g g Space k
see "the emptied, unsaved AGENTS.md is blank at once" 'blank'
keys Escape ':qa!' Enter
for _ in $(seq 100); do
  if ! pgrep -f "^$BIN serve" > /dev/null; then break; fi
  sleep 0.05
done
if pgrep -f "^$BIN serve" > /dev/null; then
  failed=$((failed + 1))
  echo "not ok - the server ends with the editor"
else
  passed=$((passed + 1))
  echo "ok - the server ends with the editor"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
