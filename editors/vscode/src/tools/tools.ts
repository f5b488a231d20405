import * as path from "node:path";
import * as vscode from "vscode";
import type { Toolbox } from "../chat/chat.js";
import type { Conversation, ToolEntry } from "../chat/conversation.js";
import { textOf, type Proposals } from "../chat/proposals.js";
import type { Client } from "../client.js";
import { text } from "../error_text.js";
import type { CallToolResult, Tool } from "../protocol.js";
import { confine } from "./confine.js";
import { mayEdit, Permits, type Permit } from "./permits.js";
import { replaceIn, replacementOf } from "./replace.js";

const editTool: Tool = {
  name: "edit",
  description:
    "Changes a file of the workspace, or writes a new one. The user sees the change beside the file and takes it or leaves it; what is taken stands in the editor and is not saved yet.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path of the file, relative to the workspace." },
      old: {
        type: "string",
        description: "The lines that are to be replaced, exactly as they stand in the file; empty for a new file.",
      },
      new: { type: "string", description: "What takes their place." },
      all: { type: "boolean", description: "Replace every place where the lines stand; without it there must be one." },
    },
    required: ["path", "old", "new"],
    additionalProperties: false,
  },
};

/** The tools that the chat offers to the model: the server's, which look, and edit, which the user decides on. */
export class Tools implements Toolbox {
  private readonly permits = new Permits();
  private rules = new Map<string, string>();

  constructor(
    private readonly client: Client,
    private readonly proposals: Proposals,
    private readonly target: () => string | undefined,
  ) {}

  async offered({ agent }: Conversation): Promise<Tool[]> {
    const { tools, permissions } = await this.client.command("foreword.tools.list", { ...this.place(), agent });
    this.rules = new Map(permissions.map(({ name, action }) => [name, action]));
    return agent === "explore" ? tools : [...tools, editTool];
  }

  async run(conversation: Conversation, entry: ToolEntry, signal: AbortSignal, changed: () => void): Promise<void> {
    const become = (state: ToolEntry["state"], output: string) => {
      entry.state = state;
      entry.output = output;
      changed();
    };
    if (signal.aborted) return become("denied", "The user stopped the answer before this was done.");
    try {
      if (entry.name === "edit") await this.edit(conversation, entry, signal, become);
      else await this.call(conversation, entry, signal, become);
    } catch (error) {
      become("failed", `${text(error)}.`);
    }
  }

  /** The user's answer to the question about a call. */
  permit(id: string, answer: Permit): void {
    this.permits.answer(id, answer);
  }

  /** What git says is changed and not committed, without what may not be told. */
  async diff(): Promise<string> {
    const result = await this.client.command("foreword.tools.call", { name: "diff", arguments: {}, ...this.place() });
    return result.isError || result.read.length === 0 ? "" : result.text;
  }

  private async call(
    conversation: Conversation,
    entry: ToolEntry,
    signal: AbortSignal,
    become: (state: ToolEntry["state"], output: string) => void,
  ): Promise<void> {
    const rule = this.rules.get(entry.name);
    if (rule === undefined)
      return become(
        "failed",
        `There is no tool "${entry.name}". There are: ${[...this.rules.keys(), "edit"].join(", ")}.`,
      );
    const ask = async (approved: boolean): Promise<CallToolResult> =>
      this.client.command("foreword.tools.call", {
        name: entry.name,
        arguments: entry.arguments as Record<string, unknown> | string,
        ...this.place(),
        agent: conversation.agent,
        session: conversation.id,
        message: entry.id,
        ...(approved ? { approved } : {}),
      });
    let result = await ask(conversation.allowed.includes(entry.name));
    if (result.ask !== undefined) {
      if (!(await this.asked(conversation, entry, signal, become)))
        return become("denied", "The user did not allow this call.");
      become("running", "");
      result = await ask(true);
    }
    entry.injected = result.injections.map(({ uri, why, tokens }) => ({ uri, why, tokens }));
    become(result.isError ? "failed" : "done", result.text);
  }

  /** Asks in the transcript; what is allowed for the chat is not asked for again. */
  private async asked(
    conversation: Conversation,
    entry: ToolEntry,
    signal: AbortSignal,
    become: (state: ToolEntry["state"], output: string) => void,
  ): Promise<boolean> {
    become("asking", "");
    const answer = await this.permits.ask(entry.id, signal);
    if (answer === "session") conversation.allowed.push(entry.name);
    return answer !== "deny";
  }

  private async edit(
    conversation: Conversation,
    entry: ToolEntry,
    signal: AbortSignal,
    become: (state: ToolEntry["state"], output: string) => void,
  ): Promise<void> {
    const wanted = replacementOf(entry.arguments);
    if (typeof wanted === "string") return become("failed", `${wanted}.`);
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    const place = await confine(wanted.path, folders);
    if ("error" in place) return become("failed", `${place.error}.`);
    const folder = folders.find((one) => !path.relative(one, place.file).startsWith(".."));
    const relative = path
      .relative(folder ?? "", place.file)
      .split(path.sep)
      .join("/");
    if (!mayEdit(conversation.agent, relative))
      return become("denied", `The agent ${conversation.agent} may not edit ${relative}.`);
    const file = vscode.Uri.file(place.file);
    const before = await textOf(file);
    const after = replaceIn(before, wanted);
    if ("error" in after) return become("failed", `${after.error}.`);
    const taken =
      conversation.allowed.includes("edit") ||
      (await this.proposals.review(file, after.text, () => this.asked(conversation, entry, signal, become)));
    if (!taken) return become("denied", `The user did not take the change of ${relative}. Ask what they want instead.`);
    await this.proposals.write(file, before, after.text);
    const { injections } = await this.client.command("foreword.context.touch", {
      session: conversation.id,
      message: entry.id,
      uris: [this.client.wireUri(file)],
      kind: "edit",
    });
    entry.injected = injections.map(({ uri, why, tokens }) => ({ uri, why, tokens }));
    become("done", `The user took the change of ${relative}. It stands in the editor and is not saved yet.`);
  }

  private place(): { uri?: string } {
    const uri = this.target();
    return uri === undefined ? {} : { uri };
  }
}
