# What the installers and .ci/test share. Source it; it runs nothing.
# shellcheck shell=bash

E2E_PREFIX=${FOREWORD_TEST_PREFIX:-$HOME/.cache/foreword-test}

say() { printf '[%4ds] %s\n' "$SECONDS" "$*"; }

# only_one NAME: hold a lock for the rest of the script, so that two callers do not install the same thing at once.
only_one() {
  mkdir -p "$E2E_PREFIX"
  exec 9> "$E2E_PREFIX/.$1.lock"
  flock 9
}

# need_packages PKG...: install what is missing of these Debian packages, as root.
need_packages() {
  local missing=() p
  for p in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  say "apt: ${missing[*]}"
  local apt=(apt-get -qq -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3)
  (
    flock 8
    "${apt[@]}" update
    DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y --no-install-recommends "${missing[@]}" > "$E2E_PREFIX/apt.log" 2>&1 ||
      { tail -n 30 "$E2E_PREFIX/apt.log" >&2; exit 1; }
  ) 8> "$E2E_PREFIX/.apt.lock" 9>&-
}

# debian_mirror: the mirror from which this system already takes its own suite. apt itself reads its configuration,
# so sources.list and *.sources are both understood.
debian_mirror() {
  local codename uri
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  uri=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v suite="$codename" '($1 == suite || $1 == "stable" || $1 == "oldstable") && $2 == "main" && !seen { print $3; seen = 1 }')
  if [ -z "$uri" ]; then
    echo "apt knows no mirror of Debian $codename main" >&2
    return 1
  fi
  echo "$uri"
}

# unpack_suite DIR SUITE PKG...: unpack packages of another Debian suite, with their closure and without running their
# scripts, into DIR/root. An apt of its own (own sources, own empty dpkg status) resolves them: the system's is untouched.
unpack_suite() {
  local dir=$1 suite=$2 mirror a apt d
  shift 2
  mirror=$(debian_mirror)
  rm -rf "$dir"
  mkdir -p "$dir"/{root,bin,apt/etc/preferences.d,apt/etc/apt.conf.d,apt/lists/partial,apt/cache/archives/partial,apt/dpkg}
  a=$dir/apt
  : > "$a/dpkg/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$a/etc/sources.list"
  apt=(apt-get -qq -o Dir::Etc="$a/etc" -o Dir::Etc::sourcelist="$a/etc/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State="$a" -o Dir::State::lists="$a/lists" -o Dir::State::status="$a/dpkg/status" -o Dir::Cache="$a/cache"
    -o APT::Install-Recommends=false -o Acquire::Languages=none -o Acquire::Retries=3 -o Debug::NoLocking=1 -o APT::Sandbox::User=root)
  "${apt[@]}" update || return 1
  "${apt[@]}" -y --download-only install "$@" || return 1
  for d in bin sbin lib lib64; do # a merged /usr, as newer suites expect to find it
    mkdir -p "$dir/root/usr/$d"
    ln -sfn "usr/$d" "$dir/root/$d"
  done
  for d in "$a"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$d" | tar -x -C "$dir/root" --keep-directory-symlink || return 1
  done
  rm -rf "$a" # keep only the unpacked tree
}

# library_dir ROOT and loader ROOT: where an unpacked suite keeps its libraries and its dynamic loader.
library_dir() { dirname "$(find "$1/usr/lib" -name 'libc.so.6' -print -quit)"; }
loader() { find "$1/usr" -name 'ld-linux*.so.*' -print -quit; }
