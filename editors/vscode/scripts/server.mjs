// Builds the server.
//
//   node scripts/server.mjs                   into bin/, for this machine
//   node scripts/server.mjs darwin-arm64      for one of vsce's targets

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

// vsce's name of a target: the platform and processor as Go names them, and what its processor must have at least.
export const targets = {
  "win32-x64": ["windows", "amd64"],
  "win32-arm64": ["windows", "arm64"],
  "linux-x64": ["linux", "amd64"],
  "linux-arm64": ["linux", "arm64"],
  "linux-armhf": ["linux", "arm", { GOARM: "7" }],
  "alpine-x64": ["linux", "amd64"],
  "alpine-arm64": ["linux", "arm64"],
  "darwin-x64": ["darwin", "amd64"],
  "darwin-arm64": ["darwin", "arm64"],
};

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Builds the server for a target into a folder, which is emptied first, and gives the file. */
export function buildServer(target, bin) {
  const [GOOS, GOARCH, more] = targets[target];
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  const output = path.join(bin, GOOS === "windows" ? "foreword.exe" : "foreword");
  // Without cgo the binary needs no C library, so one serves Debian and Alpine alike.
  execFileSync("go", ["build", "-trimpath", "-ldflags=-s -w", "-o", output, "./cmd/foreword"], {
    cwd: path.join(extension, "../.."),
    env: { ...process.env, CGO_ENABLED: "0", GOOS, GOARCH, ...more },
    stdio: "inherit",
  });
  return output;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2] ?? `${process.platform}-${process.arch}`;
  if (!(target in targets)) {
    console.error(`unknown target ${target}; there are ${Object.keys(targets).join(", ")}`);
    process.exit(2);
  }
  console.log(`${buildServer(target, path.join(extension, "bin"))} for ${target}`);
}
