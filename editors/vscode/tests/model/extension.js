// A language model of VS Code's that answers the same to everybody, and writes what it was sent as lines of JSON.

const fs = require("node:fs");
const vscode = require("vscode");

const information = {
  id: "recorder",
  name: "Recorder",
  family: "recorder",
  version: "1",
  maxInputTokens: 100_000,
  maxOutputTokens: 1000,
  capabilities: { toolCalling: true },
  isUserSelectable: true,
};

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("foreword-tests", {
      provideLanguageModelChatInformation: () => [information],
      async provideLanguageModelChatResponse(_model, messages, _options, progress) {
        const said = messages.map(({ role, content }) => ({ role, text: content.map(({ value }) => value ?? "").join("") }));
        fs.appendFileSync(process.env.FOREWORD_MODEL_OUT, `${JSON.stringify(said)}\n`);
        for (const word of ["Recorded ", "and ", "answered."]) progress.report(new vscode.LanguageModelTextPart(word));
      },
      provideTokenCount: async (_model, text) => Math.ceil(JSON.stringify(text).length / 4),
    }),
  );
  await vscode.lm.selectChatModels({ vendor: "foreword-tests" }); // the editor asks for models when somebody else does
};
