# Counting, for .ci/test and the suites. Source it; it runs nothing.
# shellcheck shell=bash

passed=0 failed=0

ok() { passed=$((passed + 1)); printf 'ok - %s\n' "$1"; }
not_ok() { failed=$((failed + 1)); printf 'not ok - %s\n' "$1"; }

# check NAME CMD...: one test, the exit code of a command. What it said is shown when it fails.
check() {
  local name=$1 out
  shift
  if out=$("$@" 2>&1 < /dev/null); then ok "$name"; else
    not_ok "$name"
    sed 's/^/    /' <<< "$out"
  fi
}

# tests NAME SECONDS CMD...: a program that prints `ok -` and `not ok -` lines and closes on `N passed, N failed`.
# Added to the totals. A program that counts nothing, or ends badly without saying what failed, is one failure.
tests() {
  local name=$1 limit=$2 log rc=0 sum p=0 f=0
  shift 2
  log=$(mktemp)
  timeout -k 10 "$limit" "$@" < /dev/null 2>&1 | tee "$log" || rc=$?
  sum=$(grep -aoE '[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1 || true)
  rm -f "$log"
  if [ -n "$sum" ]; then
    p=${sum%% *}
    f=${sum#*, }
    f=${f%% *}
  fi
  passed=$((passed + p)) failed=$((failed + f))
  if [ "$rc" -eq 124 ] || [ "$rc" -eq 137 ]; then
    not_ok "$name: not done after $limit s"
  elif [ -z "$sum" ]; then
    not_ok "$name: exit code $rc and no count of its tests"
  elif [ "$rc" -ne 0 ] && [ "$f" -eq 0 ]; then
    not_ok "$name: exit code $rc"
  elif [ $((p + f)) -eq 0 ]; then
    not_ok "$name: ran no test"
  fi
}

# sum: the last line of a suite, and its exit code.
sum() {
  if [ $((passed + failed)) -eq 0 ]; then not_ok "no test was run"; fi
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
