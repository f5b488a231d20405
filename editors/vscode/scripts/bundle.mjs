// Bundles the extension into dist/extension.js: one file loads faster than a tree of node_modules.
//
//   node scripts/bundle.mjs [--production] [--watch]

import { build, context } from "esbuild";

const production = process.argv.includes("--production");
const options = {
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20", // of VS Code 1.100
  external: ["vscode"], // the editor gives it
  minify: production,
  sourcemap: !production,
  logLevel: "warning",
};

if (process.argv.includes("--watch")) await (await context(options)).watch();
else await build(options);
