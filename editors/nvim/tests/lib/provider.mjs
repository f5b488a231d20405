// node provider.mjs RECORD   A provider of models that records in the file RECORD what it is sent, a JSON object in
// each line, and answers as the lines of its standard input say, in turn:
//   {"say": ["text", {"id": …, "name": …, "arguments": …}]}   {"hold": "first", "then": ["rest"]}   {"release": true}
//   {"wrong": "cut", "with": […]}
// It prints its address, and ends when its standard input does.

import fs from "node:fs";
import readline from "node:readline";
import { hold, say, startProvider, wrong } from "../../../vscode/tests/lib/provider.mjs";

const [, , record] = process.argv;
const provider = await startProvider();
fs.writeFileSync(record, "");
// Recorded as it comes in, before it is answered.
provider.received.push = (one) => {
  fs.appendFileSync(record, `${JSON.stringify({ path: one.path, headers: one.headers, text: one.text })}\n`);
  return Array.prototype.push.call(provider.received, one);
};
console.log(provider.url);

const held = [];
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const order = JSON.parse(line);
  if (order.say) provider.answers.push(say(...order.say));
  else if (order.hold) {
    const answer = hold(order.hold, order.then ?? []);
    held.push(answer);
    provider.answers.push(answer);
  } else if (order.release) held.pop()?.release();
  else if (order.wrong) {
    const made = wrong[order.wrong];
    provider.answers.push(order.with ? made(...order.with) : made);
  }
}).on("close", () => process.exit(0));
