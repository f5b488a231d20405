// Checks that print `ok - …` or `not ok - …` and close on `N passed, N failed`, the form that .ci/test counts.
//
//   const t = tally();
//   await t.check("the hover lists both files", async () => { assert.match(await hover(), /…/); });
//   t.done();   // prints the sum and exits, 1 when anything failed or nothing ran

// evidence is asked, when a check fails, for what the reader needs to find the cause; its answer is shown below the error.
export function tally({ timeout = 90_000, evidence = () => "" } = {}) {
  let passed = 0, failed = 0;
  return {
    // What the function returns is shown beside the name.
    async check(name, fn) {
      let timer;
      const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`nothing after ${timeout} ms`)), timeout); });
      try {
        const note = await Promise.race([Promise.resolve().then(fn), late]);
        passed++;
        console.log(`ok - ${name}` + (note === undefined ? "" : `  # ${String(typeof note === "string" ? note : JSON.stringify(note)).replaceAll("\n", " ").slice(0, 160)}`));
        return true;
      } catch (e) {
        failed++;
        console.log(`not ok - ${name}\n${String(e?.stack ?? e).replace(/^/gm, "    ")}`);
        const found = await Promise.resolve().then(() => evidence(name)).catch((e) => `no evidence: ${e?.stack ?? e}`);
        if (found) console.log(String(found).replace(/^/gm, "    | "));
        return false;
      } finally {
        clearTimeout(timer);
      }
    },
    done() {
      console.log(`${passed} passed, ${failed} failed`);
      process.exit(failed === 0 && passed > 0 ? 0 : 1);
    },
  };
}

// until polls until f gives something true, and returns it. what names it when it never does: a text, or a function
// that makes one of what was seen last.
export async function until(what, f, ms = 45_000) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await f();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out after ${ms} ms: ${typeof what === "function" ? what() : what}`);
    await new Promise((r) => setTimeout(r, 20));
  }
}
