import { execFile } from "node:child_process";
import { homedir } from "node:os";

/** The version of the contract (docs/commands.md) that this extension is written against. */
const contract = 1;

/** How long a program may take to say its version, in ms: loading from a slow disk included. */
const patience = 30_000;

/** What a program answers to `version --json`. */
export interface Version {
  version: string;
  contract: number;
}

/** Asks a program what it is, before it is spoken to as a server. The error is for the user. */
export function handshake(file: string): Promise<Version> {
  return new Promise((resolve, reject) => {
    execFile(file, ["version", "--json"], { cwd: homedir(), timeout: patience, windowsHide: true }, (error, stdout) => {
      try {
        if (error) throw error;
        resolve(readVersion(stdout));
      } catch (problem) {
        reject(problem instanceof Error ? problem : new Error(String(problem)));
      }
    });
  });
}

/** Reads the answer; it throws when the program is another one or of another contract. */
export function readVersion(stdout: string): Version {
  let answer: Partial<Version> | null;
  try {
    answer = JSON.parse(stdout) as Partial<Version> | null;
  } catch {
    answer = null;
  }
  if (typeof answer?.version !== "string" || typeof answer.contract !== "number") {
    throw new Error("it does not answer as foreword does");
  }
  if (answer.contract !== contract) {
    const older = answer.contract < contract ? "the program" : "the extension";
    throw new Error(
      `version ${answer.version} speaks contract ${answer.contract} and the extension ${contract}; update ${older}`,
    );
  }
  return { version: answer.version, contract: answer.contract };
}
