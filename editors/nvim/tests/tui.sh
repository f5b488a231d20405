#!/usr/bin/env bash
# tui.sh    The plugin as a user sees it: a real screen in tmux, keys typed, the text read back.
# Environment: FOREWORD_NVIM (or NVIM), FOREWORD_BIN; FOREWORD_SHOTS keeps the screens, to be looked at.
set -euo pipefail
NVIM_BIN=${FOREWORD_NVIM:-${NVIM:?FOREWORD_NVIM must name the editor}}
BIN=${FOREWORD_BIN:?FOREWORD_BIN must name the program}
PLUGIN=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
D=$(realpath "$(mktemp -d)")
passed=0 failed=0
unset NVIM TMUX

tm() { tmux -L "foreword-nvim-$$" -f /dev/null "$@"; }
cleanup() {
  tm kill-server 2> /dev/null || true
  rm -rf "$D"
}
trap cleanup EXIT

shots=/dev/null
if [ -n "${FOREWORD_SHOTS:-}" ]; then
  mkdir -p "$FOREWORD_SHOTS"
  shots=$FOREWORD_SHOTS/nvim-$("$NVIM_BIN" --version | sed -n '1s/NVIM v//p').txt
  : > "$shots"
fi

screen() { tm capture-pane -p -t r; }
see() { # NAME REGEX: poll the screen for it
  local _
  for _ in $(seq 1200); do
    if screen | grep -qE "$2"; then
      passed=$((passed + 1))
      echo "ok - $1"
      { echo "=== $1"; screen; } >> "$shots"
      return
    fi
    sleep 0.05
  done
  failed=$((failed + 1))
  echo "not ok - $1: no /$2/ on the screen:"
  screen | sed 's/^/    /'
}
keys() { tm send-keys -t r "$@"; }
ex() { keys -l ":$1"; keys Enter; }
# To normal mode, without Escape: with the key behind it that is read as Alt-key unless they come apart.
normal() { keys 'C-\' C-n; }

export HOME=$D/home LC_ALL=C.UTF-8 TERM=xterm-256color
export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share XDG_STATE_HOME=$HOME/.local/state XDG_CACHE_HOME=$HOME/.cache
mkdir -p "$HOME" "$D/shop/pay desk"
cd "$D/shop"
git init -q -b main
printf '# Shop\n\nUse the metric system.\n' > AGENTS.md
ln -s AGENTS.md CLAUDE.md
printf '# Pay desk\n\nAmounts are cents.\n' > 'pay desk/AGENTS.md'
printf 'package pay\n\nvar x = 1\n' > 'pay desk/till.go'
cat > "$D/init.lua" <<L
vim.o.swapfile = false
vim.o.shortmess = vim.o.shortmess .. "I"
vim.opt.runtimepath:prepend("$PLUGIN")
vim.g.foreword = { cmd = "$BIN", settings = { model = "gpt-4o" } }
vim.o.laststatus = 3
vim.o.statusline = "%f %m%=%{v:lua.require'foreword'.statusline()}"
L

tm new-session -d -s r -x 170 -y 45 "$NVIM_BIN -u $D/init.lua 'pay desk/till.go'"
see "the file is shown" 'package pay'
see "the status line counts the instruction files" 'foreword: 2 files, [0-9]+ tokens'
keys K
see "K on line 1 lists what applies" 'pay desk/AGENTS\.md'
keys j
ex 'Foreword preview'
see "the prompt is shown beside the file" 'foreword-preview:'
ex 'normal! zR'
keys -l '/metric system'
keys Enter
see "the outer instructions are in it, to the letter" 'Use the metric system\.'
see "the inner ones too" 'Amounts are cents\.'
ex 'normal! zM'
see "sections fold, and a fold reads as text" '\[[0-9]+ lines folded\]'
ex 'normal! zR'
keys -l '/metric system'
keys Enter
keys -l 'gd'
see "gd goes to the file, in the window before" '^# Shop'
ex 'wincmd t'
ex 'only'
ex 'edit AGENTS.md'
see "an instruction file shows its code lens" 'applies to [0-9]+ files?'
ex 'Foreword preview ./pay\ desk/till.go'
see "a named file is previewed" 'foreword-preview:.*till\.go'
ex 'normal! zR'
ex 'wincmd p'
keys -l 'GoNever round to the nearest euro.'
see "an edit appears in the preview while it is typed" '│Never round to the nearest euro\.'
normal
if grep -q 'euro' AGENTS.md; then
  failed=$((failed + 1))
  echo "not ok - nothing is saved"
else
  passed=$((passed + 1))
  echo "ok - nothing is saved"
fi
ex 'only'
ex 'edit! pay\ desk/till.go'
ex 'Foreword explain'
see "the explanation gives the reasons" 'CLAUDE\.md'
keys -l 'q'
ex 'Foreword! explain'
see "the location list has the entries" 'AGENTS\.md\|1 col 1.*sent'
ex 'lclose'
ex 'Foreword tokens'
see "the tokens are told" '[0-9]+ tokens in till\.go'
keys -l 'ggVj'
keys -l ':Foreword tokens'
keys Enter
see "those of a selection too" '[0-9]+ tokens in lines 1 to 2 of till\.go'
ex 'Foreword trust'
see "trust is asked for" 'Trust .*shop and everything in it'
keys -l 't'
see "and given" 'is trusted now'
ex 'Foreword list'
see "every instruction file is listed" '## pay desk/AGENTS\.md \([0-9]+ tokens\)'
keys -l 'q'
ex 'Foreword check'
see "what is wrong is told" '[0-9]+ findings? in [0-9]+ instruction files?'
ex 'cclose'
ex 'Foreword pin AGENTS.md'
see "a file is pinned" 'AGENTS\.md: pinned'
ex 'Foreword preview'
see "a section has its share beside the heading" 'tokens, [0-9]+ % ▪'
ex 'Foreword! pin AGENTS.md'
ex 'only'
ex 'edit! pay\ desk/till.go'
ex 'Foreword mode plan'
see "the mode is chosen" 'mode: plan'
ex 'Foreword status'
see "the status shows it" 'shop: trusted'
keys -l 'q'
keys -l ':Foreword '
keys Tab
see "subcommands complete" '(^|[^a-z])restart([^a-z]|$)'
normal
ex 'Foreword nonsense'
see "an unknown one is refused" 'there is no :Foreword nonsense'
ex 'Foreword restart'
see "restart says that it is done" 'foreword: restarted'
see "and the status line is back" 'foreword: 2 files, [0-9]+ tokens'
ex 'checkhealth foreword'
see "health reports" 'running: version'
ex 'messages'
ex 'qall!'
for _ in $(seq 1200); do
  tm has-session -t r 2> /dev/null || break
  sleep 0.05
done
if tm has-session -t r 2> /dev/null; then
  failed=$((failed + 1))
  echo "not ok - the editor ends"
  screen
else
  passed=$((passed + 1))
  echo "ok - the editor ends"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
