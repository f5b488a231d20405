#!/usr/bin/env bash
# install-helix.sh DIR SUITE    Helix from a newer Debian suite, beside the system. Leaves DIR/bin/hx.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$HERE/lib.sh"
DIR=$1 SUITE=$2
only_one "$(basename "$DIR")"

if [ -f "$DIR/.complete" ]; then
  say "helix: already there, $(cat "$DIR/.complete")"
  exit 0
fi
unpack_suite "$DIR" "$SUITE" hx
R=$DIR/root
cat > "$DIR/bin/hx" <<W
#!/bin/sh
export HELIX_RUNTIME="$R/usr/lib/hx/runtime"
exec "$(loader "$R")" --library-path "$(library_dir "$R")" "$R/usr/lib/hx/hx" "\$@"
W
chmod +x "$DIR/bin/hx"
version=$("$DIR/bin/hx" --version)
echo "$version ($SUITE)" > "$DIR/.complete"
say "helix: $version from $SUITE, $(du -sh "$DIR" | cut -f1)"
