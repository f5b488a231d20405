// node .ci/go-tests.mjs ARG... -- PACKAGE...
// Runs go test with these arguments: one line per package, the whole output of what failed, and the count. A test that
// the race detector makes pointless may skip itself; it is run again without. What is skipped then too has failed.
import { spawn } from "node:child_process";
import readline from "node:readline";

const dashes = process.argv.indexOf("--");
const args = process.argv.slice(2, dashes);
let passed = 0, failed = 0;
const show = (lines) => process.stdout.write(lines.join("").replace(/^(?=.)/gm, "    "));

// run reads one go test -json to its end and gives the skipped tests by package.
async function run(args, packages) {
  const go = spawn("go", ["test", "-json", ...args, ...packages], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((r) => go.once("close", r));
  const all = new Map(); // import path → what is known of the package
  const skipped = new Map();
  const before = failed;
  const pkg = (name) => {
    if (!all.has(name)) all.set(name, { output: [], tests: new Map(), passed: 0, failed: 0 });
    return all.get(name);
  };
  for await (const line of readline.createInterface({ input: go.stdout })) {
    let e;
    try {
      e = JSON.parse(line);
    } catch {
      console.log(line); // go itself, before any test
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
      } else if (e.Action === "fail") {
        p.failed++;
        console.log(`not ok - ${e.Package} ${e.Test}`);
        show(p.tests.get(e.Test) ?? []);
      } else {
        skipped.set(e.Package, [...(skipped.get(e.Package) ?? []), { name: e.Test, output: p.tests.get(e.Test) ?? [] }]);
      }
      p.tests.delete(e.Test); // what is left at the end was cut short
      continue;
    }
    if (e.Action === "skip") continue; // no test files
    if (e.Action === "fail" && p.failed === 0) {
      p.failed++;
      console.log(`not ok - ${e.Package}: failed outside its tests`);
      show(p.output);
      for (const output of p.tests.values()) show(output);
      if (e.FailedBuild && !e.FailedBuild.startsWith(e.Package + " ")) show(pkg(e.FailedBuild.replace(/ .*/, "")).output);
    } else if (e.Action === "fail") {
      show(p.output.filter((l) => !/^(FAIL|PASS|exit status)/.test(l)));
    }
    if (p.failed === 0 && p.passed > 0) console.log(`ok - ${e.Package}  # ${p.passed} tests, ${e.Elapsed} s`);
    passed += p.passed;
    failed += p.failed;
  }
  const code = await ended;
  if (code !== 0 && failed === before) {
    failed++;
    console.log(`not ok - go test: exit code ${code}`);
  }
  return skipped;
}

const top = (name) => name.replace(/\/.*/, "");
const skipped = await run(args, process.argv.slice(dashes + 1));
for (const [name, tests] of skipped) {
  const names = [...new Set(tests.map((t) => top(t.name)))];
  console.log(`# again without -race: ${name} ${names.join(" ")}`);
  const still = await run([...args.filter((a) => a !== "-race"), "-run", `^(${names.join("|")})$`], [name]);
  for (const t of still.get(name) ?? []) {
    failed++;
    console.log(`not ok - ${name} ${t.name} (skipped)`);
    show(t.output);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
