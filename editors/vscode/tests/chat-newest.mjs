// The chat once more, in the newest VS Code that runs here.

import path from "node:path";

process.env.FOREWORD_CODE_SERVER = path.join(process.env.FOREWORD_TEST_PREFIX, "cs-newest/bin/code-server");
await import("./chat.mjs");
