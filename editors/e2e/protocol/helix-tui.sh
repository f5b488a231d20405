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
see() { # NAME REGEX [KEY...]: poll the screen for it; with keys, press them again every second until it is there
  local name=$1 regex=$2 n
  shift 2
  for n in $(seq 1200); do
    if screen | grep -qE "$regex"; then
      passed=$((passed + 1))
      echo "ok - $name"
      return
    fi
    if [ $# -gt 0 ] && [ $((n % 20)) -eq 0 ]; then keys "$@"; fi
    sleep 0.05
  done
  set -- "$name" "$regex"
  failed=$((failed + 1))
  echo "not ok - $1: no /$2/ on the screen:"
  screen | sed 's/^/    /'
}
# Popups and pickers are closed with C-c: Escape and the key behind it would be read as Alt-key unless they came apart.
keys() { tm send-keys -t r "$@"; }

mkdir -p "$D/c/helix" "$D/repo/pay"
cd "$D/repo"
git init -q
echo 'Use the metric system.' > AGENTS.md
echo 'Amounts are cents.' > pay/AGENTS.md
printf '# Rules\n\nSee @no/such.md for more.\n' > pay/CLAUDE.md
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
see "hover on line 1: the nested instructions" 'pay/AGENTS\.md' Space k # nothing is asked before the server has started
see "hover on line 1: the outer instructions" '(^|[^/])AGENTS\.md'
keys C-c Space a
see "code action: preview" 'Preview the prompt for this file'
see "code action: explain" 'Explain instructions for this file'
keys C-c Space d
see "no diagnostics" '0/0'
keys C-c ':open pay/CLAUDE.md' Enter
see "CLAUDE.md is shown" 'See @no/such\.md'
see "its problem is marked where it is" '●.*See @no/such'
keys Space d
see "and told in the list" 'import-missing|no such file'
keys C-c ':open AGENTS.md' Enter
see "AGENTS.md is shown" 'metric system'
keys '%' d
see "its text is gone, unsaved" '\[\+\]'
keys ':open pay/x.any' Enter
see "back in the source" 'var x = 1'
keys g g Space k
see "the emptied, unsaved AGENTS.md is blank at once" 'blank'
keys C-c ':qa!' Enter
for _ in $(seq 1200); do
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
