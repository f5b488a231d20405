import type { Translate } from "../status_text.js";
import { answerText, type Conversation } from "./conversation.js";
import { injectionNote } from "./sentences.js";
import { subjectOf } from "./view_model.js";

/** A conversation as a Markdown document. */
export function markdownOf(conversation: Conversation, t: Translate): string {
  const parts = [`# ${conversation.title || t("Untitled")}`];
  for (const entry of conversation.entries) {
    switch (entry.kind) {
      case "user": {
        const attached = entry.attachments.map(({ detail }) => `- ${detail.split("\n")[0] ?? ""}`);
        parts.push(`## ${t("You")}`, entry.text);
        if (attached.length > 0) parts.push(`${t("Attached:")}\n\n${attached.join("\n")}`);
        break;
      }
      case "answer": {
        const said = answerText(entry);
        if (said) parts.push(`## ${entry.model || t("Model")}`, said);
        break;
      }
      case "tool":
        parts.push(`> ${`**${entry.name}** ${subjectOf(entry.arguments)}`.trim()} (${entry.state})`);
        if (entry.injected.length > 0) parts.push(`> ${injectionNote(entry.injected, t).text}`);
    }
  }
  return `${parts.join("\n\n")}\n`;
}
