#!/usr/bin/env bash
# run.sh [MOST]: trim the same conversations of 100, 1,000, … up to MOST messages (default 1000) with foreword and with other
# trimmers, and print how they compare. Not part of the tests: it takes a minute with 10000.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
(cd ../../.. && go test ./commands -count=1 -run '^TestPeers$' -peers "$work" -peers-most "${1:-1000}")
node peers.mjs "$work"
