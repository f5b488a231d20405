// official.test.mjs FILE: the counts in FILE, made by the tests of promptbuilder/tokens, are those of OpenAI's own tokenizer.
import assert from "node:assert/strict";
import fs from "node:fs";
import { get_encoding } from "tiktoken";
import { tally } from "../tally.mjs";

const t = tally({ timeout: 200_000 });
const lines = fs.readFileSync(process.argv[2], "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
const encodings = [...new Set(lines.flatMap((line) => Object.keys(line.counts)))].sort();
assert.deepEqual(encodings, ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"]);
const compare = (encoding, name, texts) => {
  let tokens = 0;
  for (const line of texts) {
    const count = encoding.encode_ordinary(line.text).length;
    assert.equal(line.counts[name], count, `of ${JSON.stringify(line.text)}`);
    tokens += count;
  }
  return tokens;
};
for (const name of encodings) {
  const encoding = get_encoding(name);
  for (const kind of [...new Set(lines.map((line) => line.kind))]) {
    const texts = lines.filter((line) => line.kind === kind && name in line.counts);
    await t.check(`${name}: ${kind}`, () => {
      assert.ok(texts.length > 0, "no text to compare");
      return `${texts.length} texts, ${compare(encoding, name, texts)} tokens`;
    });
  }
  await t.check(`${name}: one token more is noticed`, () => {
    const [first] = lines.filter((line) => name in line.counts);
    assert.throws(() => compare(encoding, name, [{ ...first, counts: { [name]: first.counts[name] + 1 } }]), /of /);
  });
  encoding.free();
}
t.done();
