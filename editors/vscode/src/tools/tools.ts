import type { Client } from "../client.js";
import type { Toolbox } from "../chat/chat.js";
import type { Conversation, ToolEntry } from "../chat/conversation.js";
import type { Proposals } from "../chat/proposals.js";
import type { Tool } from "../protocol.js";

/** The tools that the chat offers to the model. */
export class Tools implements Toolbox {
  constructor(
    readonly client: Client,
    readonly proposals: Proposals,
    readonly conversation: () => Conversation,
  ) {}

  offered(): Promise<Tool[]> {
    return Promise.resolve([]);
  }

  run(_conversation: Conversation, entry: ToolEntry): Promise<void> {
    entry.state = "failed";
    entry.output = `there is no tool ${entry.name}`;
    return Promise.resolve();
  }

  permit(_id: string, _answer: "once" | "session" | "deny"): void {}

  diff(): Promise<string> {
    return Promise.resolve("");
  }
}
