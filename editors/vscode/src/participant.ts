import * as vscode from "vscode";
import type { Client } from "./client.js";
import { text } from "./error_text.js";
import { activeFile } from "./subject.js";

/** Registers @foreword in the editor's own chat, where there is one. */
export function registerParticipant(client: Client): vscode.Disposable {
  if (typeof vscode.chat?.createChatParticipant !== "function") return new vscode.Disposable(() => undefined);
  const participant = vscode.chat.createChatParticipant("foreword.participant", async (request, _context, stream, token) => {
    try {
      await answer(client, request, stream, token);
      return {};
    } catch (error) {
      return { errorDetails: { message: `${text(error)}.` } };
    }
  });
  participant.iconPath = new vscode.ThemeIcon("comment-discussion");
  return participant;
}

async function answer(
  client: Client,
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<void> {
  const target = referenced(request) ?? activeFile() ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!target) throw new Error(vscode.l10n.t("Open a file or a folder first"));
  const uri = client.wireUri(target);
  stream.reference(target);
  switch (request.command) {
    case "preview": {
      const { markdown } = await client.command("foreword.prompt.preview", { uri }, token);
      stream.markdown(markdown);
      return stream.button({ command: "foreword.preview", title: vscode.l10n.t("Preview Prompt"), arguments: [target] });
    }
    case "tokens": {
      const { tokens, sections } = await client.command("foreword.prompt.build", { uri }, token);
      const rows = sections.map((section) => `| ${section.title.replaceAll("|", "\\|")} | ${section.tokens} |`);
      stream.markdown(
        [
          vscode.l10n.t("The prompt has {0} tokens.", tokens.total),
          [`| ${vscode.l10n.t("section")} | ${vscode.l10n.t("tokens")} |`, "| --- | ---: |", ...rows].join("\n"),
        ].join("\n\n"),
      );
      return;
    }
    case "explain":
      return explain(client, uri, target, stream, token);
    default:
      if (request.prompt.trim() === "") return explain(client, uri, target, stream, token);
      return ask(client, uri, request, stream, token);
  }
}

async function explain(
  client: Client,
  uri: string,
  target: vscode.Uri,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<void> {
  const { markdown } = await client.command("foreword.instructions.explain", { uri }, token);
  stream.markdown(markdown);
  stream.button({ command: "foreword.explain", title: vscode.l10n.t("Explain Instructions"), arguments: [target] });
}

/** Asks the model that the user has picked, with foreword's prompt before the question. */
async function ask(
  client: Client,
  uri: string,
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t("Restricted Mode: nothing is sent to a model. The prompt can be shown and copied."));
  const { messages } = await client.command("foreword.prompt.build", { uri, prompt: request.prompt }, token);
  const response = await request.model.sendRequest(
    // The API has no system messages.
    [...messages.map((message) => message.content), request.prompt].map((said) =>
      vscode.LanguageModelChatMessage.User(said),
    ),
    {},
    token,
  );
  for await (const part of response.text) stream.markdown(part);
}

/** The first file that the user attached to the question. */
function referenced({ references }: vscode.ChatRequest): vscode.Uri | undefined {
  for (const { value } of references) {
    if (value instanceof vscode.Uri) return value;
    if (value instanceof vscode.Location) return value.uri;
  }
  return undefined;
}
