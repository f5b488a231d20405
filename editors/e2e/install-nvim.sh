#!/usr/bin/env bash
# install-nvim.sh DIR SUITE...    Neovim from the first of these Debian suites that has it, beside the system.
# Leaves DIR/bin/nvim. Does nothing when it is there already.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$HERE/lib.sh"
DIR=$1
shift
only_one "$(basename "$DIR")"

if [ -f "$DIR/.complete" ]; then
  say "$(basename "$DIR"): already there, $(cat "$DIR/.complete")"
  exit 0
fi
need_packages patchelf
suite=
for s in "$@"; do
  say "neovim from $s"
  if unpack_suite "$DIR" "$s" neovim; then
    suite=$s
    break
  fi
  say "$s does not give neovim"
done
[ -n "$suite" ] || { echo "no suite of: $* gives neovim" >&2; exit 1; }

# Not "ld.so nvim": the TUI starts its server by running v:progpath, which would then be ld.so. So the interpreter and
# the library path are set in the binary itself.
R=$DIR/root
patchelf --set-interpreter "$(loader "$R")" --force-rpath --set-rpath "$(library_dir "$R")" "$R/usr/bin/nvim"
cat > "$DIR/bin/nvim" <<W
#!/bin/sh
export VIMRUNTIME="$R/usr/share/nvim/runtime"
exec "$R/usr/bin/nvim" --cmd "set rtp+=$R/usr/lib/nvim" "\$@"
W
chmod +x "$DIR/bin/nvim"
version=$("$DIR/bin/nvim" --version | sed -n 1p)
"$DIR/bin/nvim" --clean --headless -c 'lua assert(vim.lsp)' -c 'qa!'
echo "$version ($suite)" > "$DIR/.complete"
say "$(basename "$DIR"): $version from $suite, $(du -sh "$DIR" | cut -f1)"
