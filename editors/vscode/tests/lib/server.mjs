// A program in the place of the server, which passes everything on to the server.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** Notes its processes, so that a test can end just its own; or, with record, what the editor sends. */
export function makeServer(binary, { record = false } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "foreword-server-"));
  const [file, pids, wire] = ["foreword", "pids", "wire"].map((name) => path.join(folder, name));
  for (const empty of [pids, wire]) fs.writeFileSync(empty, "");
  const serve = record ? `tee -a '${wire}' | '${binary}' "$@"` : `echo $$ >> '${pids}'\n  exec '${binary}' "$@"`; // exec keeps the process, so its number is the server's
  fs.writeFileSync(file, `#!/bin/sh\nif [ "$1" = serve ]; then\n  ${serve}\nelse\n  exec '${binary}' "$@"\nfi\n`, {
    mode: 0o755,
  });
  return {
    file,
    started: () => fs.readFileSync(pids, "utf8").split("\n").filter(Boolean).map(Number),
    // The parameters of every message of a method.
    sent: (method) =>
      fs
        .readFileSync(wire, "utf8")
        .split(/Content-Length: \d+\r\n\r\n/)
        .filter((message) => message.startsWith("{") && message.endsWith("}"))
        .map((message) => JSON.parse(message))
        .filter((message) => message.method === method)
        .map((message) => message.params),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
