#!/usr/bin/env bash
# vim-ale-tui.sh FOREWORD    Vim 9 with ALE (Debian: vim-nox, vim-ale), on its screen in tmux.
set -euo pipefail
BIN=$1
README=$(cd "$(dirname "$0")/../.." && pwd)/README.md
D=$(mktemp -d)
passed=0 failed=0
tm() { tmux -L "ale$$" -f /dev/null "$@"; }
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
  failed=$((failed + 1))
  echo "not ok - $name: no /$regex/ on the screen:"
  screen | sed 's/^/    /'
}
keys() { tm send-keys -t r "$@"; }

mkdir -p "$D/repo/pay"
cd "$D/repo"
git init -q
echo 'Use the metric system.' > AGENTS.md
echo 'Amounts are cents.' > pay/AGENTS.md
printf '# Rules\n\nSee @no/such.md for more.\n' > pay/CLAUDE.md
printf 'package pay\n\nvar x = 1\n' > pay/x.go
ALE=$(dirname "$(dirname "$(dpkg -L vim-ale | grep '/plugin/ale.vim$' | head -n 1)")")
cat > "$D/vimrc" << V
set nocompatible noswapfile shortmess+=I hidden
set rtp^=$ALE
filetype plugin on
let g:ale_hover_to_preview = 1
let g:ale_linters = {'go': ['foreword'], 'markdown': ['foreword']}
V
# The configuration that people are told to write, with the program that is tested.
sed -n '/^```vim$/,/^```$/{/^```/d;p}' "$README" | sed "s|'executable': 'foreword'|'executable': '$BIN'|" >> "$D/vimrc"
export HOME=$D XDG_STATE_HOME=$D/s XDG_CONFIG_HOME=$D/c XDG_CACHE_HOME=$D/k LC_ALL=C.UTF-8
tm new-session -d -s r -x 120 -y 34 "vim.nox -u $D/vimrc pay/x.go; sleep 60"
see "the file is shown" 'var x = 1'
keys ':ALEHover' Enter
see "hover on line 1: the nested instructions" 'pay/AGENTS\.md' ':ALEHover' Enter
see "hover on line 1: the outer instructions" '(^|[^/])AGENTS\.md'
keys ':only' Enter
keys ':ALECodeAction' Enter
see "code action: preview" 'Preview the prompt for this file'
number=$(screen | grep -oE '[0-9]+[:)] *Explain instructions' | grep -oE '^[0-9]+' | head -n 1 || true)
keys "${number:-2}" Enter
see "a code action runs, and says what it found" '3 instruction files apply here'
keys ':edit pay/CLAUDE.md' Enter
see "CLAUDE.md is shown" 'See @no/such\.md'
keys 3G
see "its problem is told on its line" 'no such file' 1G 3G
keys ':qa!' Enter
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
