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
      messages(fs.readFileSync(wire))
        .filter((message) => message.method === method)
        .map((message) => message.params),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

// The messages in what was written so far; the last may be there in part only.
function messages(bytes) {
  const found = [];
  for (let at = 0; ; ) {
    const body = bytes.indexOf("\r\n\r\n", at) + 4;
    const length = Number(/Content-Length: (\d+)/.exec(bytes.subarray(at, body))?.[1]);
    if (body < 4 || !(body + length <= bytes.length)) return found;
    found.push(JSON.parse(bytes.subarray(body, body + length)));
    at = body + length;
  }
}
