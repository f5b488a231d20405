// A git repository with nested instruction files, as small as shows what there is to show.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export const files = {
  "AGENTS.md": "# Shop\n\nUse tabs, and name things in full words.\n",
  "CLAUDE.md": "Say which test proves the change.\n",
  "README.md": "# Shop\n\nSells things.\n",
  "pay/AGENTS.md": "Money is an integer number of cents.\nNever log a card number.\n",
  "pay/pay.go":
    "package pay\n\n// Total adds up what the parts of an order cost, in cents.\nfunc Total(parts []int) int {\n\tsum := 0\n\tfor _, cents := range parts {\n\t\tsum += cents\n\t}\n\treturn sum\n}\n",
  "web/AGENTS.md": "The browser of the cash desk is ten years old.\n",
  "web/cart.ts": "export const cart: string[] = [];\n",
};

/** Makes the repository and gives its real path: macOS and some containers reach /tmp by a symbolic link. */
export function makeRepository(name = "shop", contents = files) {
  const root = path.join(fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "foreword-repo-"))), name);
  for (const [file, text] of Object.entries(contents)) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  const git = (...args) =>
    execFileSync("git", ["-C", root, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "Sell things");
  return { root, remove: () => fs.rmSync(path.dirname(root), { recursive: true, force: true }) };
}
