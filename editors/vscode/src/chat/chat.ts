import type { PrepareTurnResult, Tool } from "../protocol.js";
import {
  begin,
  cutFrom,
  lastSent,
  settle,
  switchVersion,
  thin,
  titleOf,
  type AnswerEntry,
  type Conversation,
  type ToolEntry,
  type UserEntry,
} from "./conversation.js";
import type { Attachment } from "./messages.js";
import { codeOf, runTurn, type AskModel, type Choice, type Server, type Surroundings } from "./turn.js";

/** Runs the calls of tools; see src/tools. */
export interface Toolbox {
  /** The tools that the agent may be offered. */
  offered(conversation: Conversation): Promise<Tool[]>;
  /** Runs a call to its end and writes what came of it into the entry. */
  run(conversation: Conversation, entry: ToolEntry, signal: AbortSignal, changed: () => void): Promise<void>;
}

/** What the chat needs from the editor. */
export interface Editor {
  server: Server;
  ask: AskModel;
  tools: Toolbox;
  choice(): Promise<Choice>;
  /** URI of the file or folder that the conversation is about. */
  target(): string | undefined;
  newID(): string;
  now(): string;
  wait(seconds: number, signal: AbortSignal): Promise<void>;
  maxSteps(): number;
  /** Words for a tool that was running when the window was closed. */
  interrupted: string;
  save(conversation: Conversation): void;
  /** The request of a turn, for those who want to read it. */
  sending(conversation: Conversation, prepared: PrepareTurnResult): void;
}

/** What can be heard of the chat. */
export interface Listener {
  /** Entries from an index on are others now. */
  entries(from: number): void;
  delta(id: string, text: string, thinking: string): void;
  panel(): void;
}

/** A message that waits for the answer before it. */
export interface Queued {
  id: string;
  text: string;
  attachments: Attachment[];
}

/** One conversation at a time: what the user does to it, and the turns that follow from that. */
export class Chat {
  conversation: Conversation;
  readonly queue: Queued[] = [];
  notice: { seconds: number; detail: string } | undefined;
  /** The limit of requests for one message was reached. */
  exhausted = false;
  private running: AbortController | undefined;
  private done: Promise<void> = Promise.resolve();

  constructor(
    private readonly editor: Editor,
    private readonly listener: Listener,
  ) {
    this.conversation = begin(editor.newID(), editor.now());
  }

  get busy(): boolean {
    return this.running !== undefined;
  }

  /** Resolves when nothing is going on any more. */
  get idle(): Promise<void> {
    return this.done;
  }

  /** Goes over to another conversation; an answer that is being given ends. */
  async open(conversation: Conversation): Promise<void> {
    await this.stop();
    settle(conversation, this.editor.interrupted);
    this.conversation = conversation;
    this.queue.length = 0;
    this.exhausted = false;
    this.listener.entries(0);
    this.listener.panel();
  }

  async startAnew(): Promise<void> {
    const { agent, mode } = this.conversation;
    await this.open({ ...begin(this.editor.newID(), this.editor.now()), agent, mode });
  }

  /** Sends a message, or puts it behind the answer that is being given. */
  send(text: string, attachments: Attachment[]): void {
    if (this.running) {
      this.queue.push({ id: this.editor.newID(), text, attachments });
      return this.listener.panel();
    }
    this.say(text, attachments);
    this.run();
  }

  unqueue(id: string): Queued | undefined {
    const at = this.queue.findIndex((queued) => queued.id === id);
    const [taken] = at < 0 ? [] : this.queue.splice(at, 1);
    this.listener.panel();
    return taken;
  }

  /** Ends the answer that is being given; what came of it stays. */
  async stop(): Promise<void> {
    this.running?.abort(new Error("stopped"));
    await this.done;
  }

  /** Asks once more for the last answer. What was answered stays as another way. */
  async retry(): Promise<void> {
    await this.stop();
    const { entries } = this.conversation;
    const asked = entries.findLastIndex((entry) => entry.kind === "user");
    const first = entries[asked + 1];
    if (asked < 0) return;
    if (first) this.cut(first.id);
    this.run();
  }

  /** Goes on after the limit of requests. */
  goOn(): void {
    if (!this.running) this.run();
  }

  /** Says a message in other words; what came after it stays as another way. */
  async edit(id: string, text: string): Promise<void> {
    await this.stop();
    const entry = this.conversation.entries.find((one) => one.id === id);
    if (entry?.kind !== "user") return;
    const { attachments } = entry;
    this.cut(id);
    this.say(text, attachments);
    this.run();
  }

  /** Goes over to what was said before an edit, or after. */
  async version(id: string, by: -1 | 1): Promise<void> {
    await this.stop();
    const at = this.conversation.entries.findIndex((entry) => entry.id === id);
    if (!switchVersion(this.conversation, id, by)) return;
    this.changed(at);
    this.listener.panel();
  }

  /** Has messages sent whole from the next turn on, whatever has to go for it. */
  keep(ids: string[]): void {
    for (const entry of this.conversation.entries) if (ids.includes(entry.id)) entry.pinned = true;
    this.conversation.whole = true;
    this.changed(0);
  }

  /** Lets go of what was to be sent whole, and asks once more. */
  async release(): Promise<void> {
    await this.stop();
    for (const entry of this.conversation.entries) delete entry.pinned;
    this.conversation.whole = true;
    await this.retry();
  }

  /** Makes a second conversation of all that was said here. */
  async fork(title: string): Promise<Conversation> {
    const { editor } = this;
    const id = editor.newID();
    const last = lastSent(this.conversation.entries);
    if (last) {
      try {
        await editor.server("foreword.session.fork", { session: this.conversation.id, turn: last.turn, as: id });
      } catch (error) {
        // What the server has forgotten is told anew with the first turn.
        const code = codeOf(error);
        if (code !== "unknown_session" && code !== "unknown_turn") throw error;
      }
    }
    const copy = structuredClone(this.conversation);
    return {
      ...copy,
      id,
      title,
      named: true,
      created: editor.now(),
      updated: editor.now(),
      branches: [],
      draft: "",
      attached: [],
    };
  }

  /** Stores the conversation and tells of it. */
  changed(from: number): void {
    this.conversation.updated = this.editor.now();
    this.editor.save(this.conversation);
    this.listener.entries(from);
  }

  private say(text: string, attachments: Attachment[]): void {
    const { conversation, editor } = this;
    const entry: UserEntry = { kind: "user", id: editor.newID(), time: editor.now(), text, attachments };
    conversation.entries.push(entry);
    if (!conversation.named && conversation.title === "") conversation.title = titleOf(text);
    this.changed(conversation.entries.length - 1);
  }

  private cut(id: string): void {
    cutFrom(this.conversation, id);
    this.listener.entries(this.conversation.entries.length);
  }

  private run(): void {
    const running = new AbortController();
    this.running = running;
    this.exhausted = false;
    this.listener.panel();
    this.done = this.steps(this.conversation, running.signal).finally(() => {
      this.running = undefined;
      this.notice = undefined;
      this.listener.entries(Math.max(0, this.conversation.entries.length - 1));
      this.listener.panel();
      const next = running.signal.aborted ? undefined : this.queue.shift();
      if (next) this.send(next.text, next.attachments);
    });
  }

  /** Turns until the model calls no more tools. */
  private async steps(conversation: Conversation, signal: AbortSignal): Promise<void> {
    const { editor } = this;
    const steps = editor.maxSteps();
    for (let step = 1; ; step++) {
      const entry: AnswerEntry = {
        kind: "answer",
        id: editor.newID(),
        time: editor.now(),
        turn: 0,
        parts: [],
        model: "",
        state: "waiting",
      };
      thin(conversation.entries);
      conversation.entries.push(entry);
      const at = conversation.entries.length - 1;
      this.changed(at);
      const uri = editor.target();
      const request = async () => {
        const choice = await editor.choice();
        entry.model = choice.model;
        const tools = choice.wire === "text" ? [] : await editor.tools.offered(conversation);
        return { ...(uri === undefined ? {} : { uri }), choice, tools };
      };
      const answer = await runTurn(conversation, entry, request, this.around(at), signal);
      this.changed(at);
      const calls = entry.state === "done" ? answer.calls : [];
      if (calls.length === 0) return;
      const made = calls.map((call): ToolEntry => ({
        kind: "tool",
        id: editor.newID(),
        time: editor.now(),
        call: call.id,
        name: call.name,
        arguments: call.arguments,
        state: "running",
        output: "",
        injected: [],
      }));
      conversation.entries.push(...made);
      this.changed(at);
      // One after another: two reads at once must not both bring the same instructions.
      for (const call of made) await editor.tools.run(conversation, call, signal, () => this.changed(at));
      this.changed(at);
      if (signal.aborted) return;
      if (step >= steps) {
        this.exhausted = true;
        return;
      }
    }
  }

  private around(at: number): Surroundings {
    const { editor, listener } = this;
    return {
      server: editor.server,
      ask: editor.ask,
      newID: () => editor.newID(),
      wait: (seconds, signal) => editor.wait(seconds, signal),
      notice: (notice) => {
        this.notice = notice;
        listener.panel();
      },
      grown: (entry, text, thinking) => listener.delta(entry.id, text, thinking),
      changed: () => listener.entries(at),
      sending: (prepared) => {
        editor.sending(this.conversation, prepared);
        listener.panel();
      },
    };
  }
}
