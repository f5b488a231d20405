// go test -json ./... | node .ci/go-tests.mjs      one line per package, the whole output of what failed, and the count.
// A skipped test counts as failed: nothing is skipped here.
import readline from "node:readline";

const packages = new Map(); // import path → { output, tests: Map(name → lines), passed, failed }
let passed = 0, failed = 0;
const pkg = (name) => {
  if (!packages.has(name)) packages.set(name, { output: [], tests: new Map(), passed: 0, failed: 0 });
  return packages.get(name);
};
const show = (lines) => process.stdout.write(lines.join("").replace(/^(?=.)/gm, "    "));

for await (const line of readline.createInterface({ input: process.stdin })) {
  let e;
  try {
    e = JSON.parse(line);
  } catch {
    console.log(line); // go itself: a build that failed before any test
    continue;
  }
  if (e.Action === "build-output") {
    pkg(e.ImportPath.replace(/ .*/, "")).output.push(e.Output);
    continue;
  }
  if (!e.Package) continue;
  const p = pkg(e.Package);
  if (e.Action === "output") {
    if (!e.Test) p.output.push(e.Output);
    else if (p.tests.has(e.Test)) p.tests.get(e.Test).push(e.Output);
    else p.tests.set(e.Test, [e.Output]);
    continue;
  }
  if (!["pass", "fail", "skip"].includes(e.Action)) continue;
  if (e.Test) {
    if (e.Action === "pass") {
      p.passed++;
    } else {
      p.failed++;
      console.log(`not ok - ${e.Package} ${e.Test}${e.Action === "skip" ? " (skipped)" : ""}`);
      show(p.tests.get(e.Test) ?? []);
    }
    p.tests.delete(e.Test); // what is left at the end was cut short
    continue;
  }
  if (e.Action === "skip") continue; // no test files
  if (e.Action === "fail" && p.failed === 0) {
    p.failed++;
    console.log(`not ok - ${e.Package}: failed outside its tests`);
    show(p.output);
    for (const out of p.tests.values()) show(out);
    if (e.FailedBuild && !e.FailedBuild.startsWith(e.Package + " ")) show(pkg(e.FailedBuild.replace(/ .*/, "")).output);
  } else if (e.Action === "fail") {
    show(p.output.filter((l) => !/^(FAIL|PASS|exit status)/.test(l)));
  }
  if (p.failed === 0) console.log(`ok - ${e.Package}  # ${p.passed} tests, ${e.Elapsed} s`);
  passed += p.passed;
  failed += p.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
