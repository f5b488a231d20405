#!/usr/bin/env bash
# chat.sh    The chat as a user sees it: a real screen in tmux, keys typed, the provider's record read.
# Environment: FOREWORD_NVIM (or NVIM), FOREWORD_BIN; FOREWORD_SHOTS keeps the screens, to be looked at.
set -euo pipefail
exec node "$(dirname "${BASH_SOURCE[0]}")/lib/chat_screen.mjs"
