import * as fs from "node:fs/promises";
import * as path from "node:path";
import { isConversation, type Conversation } from "./conversation.js";

/** A conversation in the list. */
export interface Listed {
  id: string;
  title: string;
  updated: string;
  messages: number;
}

/** Conversations as files in a folder, one each: a file that is damaged costs that conversation and no other. */
export class Store {
  /** What is still to be written, by id; the newest state wins. */
  private readonly waiting = new Map<string, Conversation | undefined>();
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly warn: (message: string) => void,
  ) {}

  /** Writes a conversation soon, and whole or not at all. One in which nothing was said yet is not kept. */
  save(conversation: Conversation): void {
    if (conversation.entries.length === 0 && conversation.branches.length === 0) return;
    const planned = this.waiting.has(conversation.id);
    this.waiting.set(conversation.id, conversation);
    if (!planned) this.writing = this.writing.then(() => this.write(conversation.id));
  }

  remove(id: string): Promise<void> {
    this.waiting.delete(id);
    this.writing = this.writing.then(() => fs.rm(this.file(id), { force: true })).catch(this.said(id));
    return this.writing;
  }

  /** Resolves when all is written. */
  async settled(): Promise<void> {
    await this.writing;
  }

  async load(id: string): Promise<Conversation | undefined> {
    await this.writing;
    return this.read(this.file(id));
  }

  /** All conversations, the one used last first. */
  async list(): Promise<Listed[]> {
    await this.writing;
    const names = await fs.readdir(this.folder).catch(() => []);
    const all = await Promise.all(
      names.filter((name) => name.endsWith(".json")).map((name) => this.read(path.join(this.folder, name))),
    );
    return all
      .flatMap((one) => (one ? [one] : []))
      .map(({ id, title, updated, entries }) => ({
        id,
        title,
        updated,
        messages: entries.filter(({ kind }) => kind === "user").length,
      }))
      .sort((a, b) => b.updated.localeCompare(a.updated) || a.id.localeCompare(b.id));
  }

  private async read(file: string): Promise<Conversation | undefined> {
    let text: string;
    try {
      text = await fs.readFile(file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.warn(`${file}: ${String(error)}`);
      return undefined;
    }
    try {
      const value: unknown = JSON.parse(text);
      if (isConversation(value)) return value;
      this.warn(`${file} holds no conversation of this version; it is left alone`);
    } catch (error) {
      this.warn(`${file} cannot be read and is left alone: ${String(error)}`);
    }
    return undefined;
  }

  private async write(id: string): Promise<void> {
    const conversation = this.waiting.get(id);
    this.waiting.delete(id);
    if (!conversation) return;
    const file = this.file(id);
    const draft = `${file}.new`;
    try {
      await fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
      await fs.writeFile(draft, JSON.stringify(conversation), { mode: 0o600 });
      await fs.rename(draft, file);
    } catch (error) {
      this.said(id)(error);
    }
  }

  private said(id: string): (error: unknown) => void {
    return (error) => this.warn(`the chat ${id} could not be stored: ${String(error)}`);
  }

  private file(id: string): string {
    return path.join(this.folder, `${id.replace(/[^A-Za-z0-9-]/g, "_")}.json`);
  }
}
