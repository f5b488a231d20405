// A program in the place of the server: it notes its processes, so that a test can end just its own.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export function makeServer(binary) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "foreword-server-"));
  const file = path.join(folder, "foreword");
  const pids = path.join(folder, "pids");
  fs.writeFileSync(pids, "");
  // exec keeps the process, so its number is the server's.
  fs.writeFileSync(file, `#!/bin/sh\n[ "$1" = serve ] && echo $$ >> '${pids}'\nexec '${binary}' "$@"\n`, { mode: 0o755 });
  return {
    file,
    started: () => fs.readFileSync(pids, "utf8").split("\n").filter(Boolean).map(Number),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
