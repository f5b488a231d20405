import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  TextDocumentContentRequest,
  type Middleware,
} from "vscode-languageclient/node";
import { findBinary, type Origin } from "./binary.js";
import { text } from "./error_text.js";
import { Restarts } from "./restarts.js";
import { Refreshes } from "./refreshes.js";
import { handshake } from "./handshake.js";
import type {
  ClientNotifications,
  CommandName,
  Commands,
  InitializationOptions,
  PromptChangedParams,
  ServerNotifications,
  ServerRequests,
  StatusNotificationParams,
} from "./protocol.js";
import { Sections } from "./sections.js";
import { editorSettings } from "./settings.js";
import { tellTrouble } from "./trouble.js";

/** How it stands with the server. */
export type State =
  | { kind: "starting" }
  | { kind: "running"; file: string; origin: Origin; version: string }
  | { kind: "missing"; message: string }
  | { kind: "failed"; message: string }
  | { kind: "stopped" };

/** The commands that code actions and code lenses of the server name; registerCommands has them. */
export const clientCommands = ["foreword.client.showPreview", "foreword.client.showExplain"] as const;

/** The server, from finding its program to its end. There is one for the window. */
export class Client implements vscode.Disposable {
  private language: LanguageClient | undefined;
  /** Starts and stops, one after another. */
  private last: Promise<void> = Promise.resolve();
  private now: State = { kind: "stopped" };
  private restarts = new Restarts(Date.now);
  private readonly refreshes = new Refreshes();
  /** What other extensions add to prompts. */
  readonly sections = new Sections();
  /** The setting of the path with which the server was started. */
  private wanted = "";

  private readonly states = new vscode.EventEmitter<State>();
  private readonly promptChanges = new vscode.EventEmitter<PromptChangedParams>();
  private readonly reports = new vscode.EventEmitter<StatusNotificationParams>();
  private readonly subscriptions: vscode.Disposable[];

  readonly onDidChangeState = this.states.event;
  /** Prompts may differ from what was shown last. The server waits for a quiet moment before it says so. */
  readonly onDidChangePrompt = this.promptChanges.event;
  readonly onDidReport = this.reports.event;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      vscode.workspace.onDidChangeConfiguration((event) => {
        // VS Code also fires when a workspace has set what it may not set, and nothing has changed.
        if (event.affectsConfiguration("foreword.server.path") && this.wanted !== wantedPath()) void this.restart();
      }),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (this.refreshes.missed(uri.toString())) this.refreshDocument(uri);
      }),
    ];
  }

  get state(): State {
    return this.now;
  }

  start(): Promise<void> {
    return this.queue(() => this.begin());
  }

  stop(): Promise<void> {
    return this.queue(() => this.end());
  }

  restart(): Promise<void> {
    return this.queue(async () => {
      this.restarts = new Restarts(Date.now);
      await this.end();
      await this.begin();
    });
  }

  dispose(): void {
    void this.stop();
    for (const subscription of this.subscriptions) subscription.dispose();
    this.states.dispose();
    this.promptChanges.dispose();
    this.reports.dispose();
  }

  /** Asks for one of the commands of docs/commands.md. The error's message is for the user. */
  async command<C extends CommandName>(
    command: C,
    params: Commands[C]["params"],
    token?: vscode.CancellationToken,
  ): Promise<Commands[C]["result"]> {
    await this.last;
    if (!this.language || this.now.kind !== "running") throw new Error(this.whyNot());
    const request = { command, arguments: [params] };
    return (await this.language.sendRequest(ExecuteCommandRequest.type, request, token)) as Commands[C]["result"];
  }

  /** Tells the server something, if it runs; one that starts later asks for what it needs. */
  tell<N extends keyof ClientNotifications>(method: N, params: ClientNotifications[N]): void {
    if (this.now.kind !== "running") return;
    this.language
      ?.sendNotification(method, params)
      .catch((error: unknown) => this.log.warn(`${method}: ${String(error)}`));
  }

  /** The URI as the server is to see it. */
  wireUri(uri: vscode.Uri): string {
    return this.language?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }

  private providers() {
    return this.language?.getFeature(TextDocumentContentRequest.method)?.getProviders() ?? [];
  }

  /** Makes the editor ask again for the text of a virtual document. */
  private refreshDocument(uri: vscode.Uri): void {
    this.providers()
      .find((provider) => provider.scheme === uri.scheme)
      ?.onDidChangeEmitter.fire(uri);
  }

  /** Makes the editor ask a new server for the text of the virtual documents that are open. */
  private refreshDocuments(): void {
    for (const provider of this.providers()) {
      provider.onDidChangeEmitter.event((uri) => {
        const open = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
        this.refreshes.asked(uri.toString(), open);
      });
    }
    for (const document of vscode.workspace.textDocuments) this.refreshDocument(document.uri);
  }

  private queue(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step).catch((error: unknown) => this.log.error(String(error)));
    return this.last;
  }

  private become(state: State): void {
    this.now = state;
    this.states.fire(state);
    if (state.kind === "missing" || state.kind === "failed") {
      this.log.error(state.message);
      void tellTrouble(state.message, this.log);
    }
  }

  private async begin(): Promise<void> {
    this.become({ kind: "starting" });
    this.wanted = wantedPath();
    const found = findBinary({
      setting: this.wanted,
      bundled: vscode.Uri.joinPath(this.extension, "bin").fsPath,
      env: process.env,
      home: homedir(),
      platform: process.platform,
      runnable,
    });
    if (found.file === undefined) {
      this.log.info(`looked for the server at:\n${found.tried.join("\n")}`);
      const message =
        found.setting === undefined
          ? vscode.l10n.t(
              "The foreword program was not found: it is neither in the extension nor on the PATH. Install it, or set where it is.",
            )
          : vscode.l10n.t(
              'The setting foreword.server.path is "{0}", and there is no program of that name. It takes an absolute path, or a name on the PATH.',
              found.setting,
            );
      return this.become({ kind: "missing", message });
    }
    const { file, origin } = found;
    let version: string;
    try {
      ({ version } = await handshake(file));
    } catch (error) {
      return this.become({
        kind: "failed",
        message: vscode.l10n.t("{0} cannot be used as the foreword server: {1}.", file, text(error)),
      });
    }
    this.log.info(`server ${file} (${origin}), version ${version}`);

    let died = false;
    const language = this.make(file, () => {
      died = true;
      void this.queue(() => this.recover(language));
    });
    this.language = language;
    language.onNotification("foreword/promptChanged", (params: ServerNotifications["foreword/promptChanged"]) =>
      this.promptChanges.fire(params),
    );
    language.onNotification("foreword/status", (params: ServerNotifications["foreword/status"]) =>
      this.reports.fire(params),
    );
    type Collect = ServerRequests["foreword/collectSections"];
    language.onRequest("foreword/collectSections", (params: Collect["params"], token: vscode.CancellationToken) =>
      this.sections.collect(params, token),
    );
    try {
      await language.start();
    } catch (error) {
      if (!died)
        this.become({ kind: "failed", message: vscode.l10n.t("The foreword server did not start: {0}.", text(error)) });
      return;
    }
    this.become({ kind: "running", file, origin, version });
    this.log.info("the server runs");
    this.refreshDocuments();
  }

  /** Starts a server that has died again, unless it keeps dying. */
  private async recover(dead: LanguageClient): Promise<void> {
    if (this.language !== dead) return; // ended or replaced in the meantime
    await this.end();
    if (this.restarts.another()) return this.begin();
    this.become({ kind: "failed", message: vscode.l10n.t("The foreword server keeps stopping. The log may say why.") });
  }

  private async end(): Promise<void> {
    const language = this.language;
    this.language = undefined;
    if (!language) return;
    this.become({ kind: "stopped" });
    // dispose fails for a server that is gone already, and then there is nothing left to do.
    await language.dispose().catch((error: unknown) => this.log.warn(`stopping the server: ${text(error)}`));
  }

  private make(file: string, closed: () => void): LanguageClient {
    const offered: InitializationOptions = {
      commands: [...clientCommands],
      notifications: ["foreword/status", "foreword/promptChanged"],
      requests: ["foreword/collectSections"],
    };
    return new QuietClient(
      "foreword", // also the section of the setting foreword.trace.server
      "Foreword",
      // Not in the workspace: some platforms look there for what a program loads.
      // Without a transport it is standard input and output; with one the client adds an argument of its own.
      { command: file, args: ["serve"], options: { cwd: homedir() } },
      {
        documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
        initializationOptions: (): InitializationOptions => ({ ...offered, trusted: vscode.workspace.isTrusted }),
        outputChannel: this.log,
        traceOutputChannel: this.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          // The library's own restart fails when the server dies while it starts, so we do it.
          closed: () => {
            closed();
            return { action: CloseAction.DoNotRestart, handled: true };
          },
        },
        initializationFailedHandler: () => false, // begin tells it
        middleware: this.middleware(),
      },
    );
  }

  private middleware(): Middleware {
    return {
      workspace: {
        configuration: async (params, token, next) => {
          const answers = await next(params, token);
          if (!Array.isArray(answers)) return answers;
          return params.items.map((item, i) =>
            item.section === "foreword" ? editorSettings() : (answers[i] as unknown),
          );
        },
      },
      // What cannot be shown is said where it would stand.
      provideTextDocumentContent: async (uri, token, next) => {
        try {
          return await next(uri, token);
        } catch (error) {
          if (token.isCancellationRequested) throw error;
          return `${vscode.l10n.t("This document cannot be shown now: {0}", text(error))}\n`;
        }
      },
    };
  }

  private whyNot(): string {
    switch (this.now.kind) {
      case "missing":
      case "failed":
        return this.now.message;
      default:
        return vscode.l10n.t(
          "The foreword server is not running. Restart it with the command {0}.",
          '"Foreword: Restart Server"',
        );
    }
  }
}

/** Leaves it to us to tell the user what went wrong; the log has it all. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

function wantedPath(): string {
  return vscode.workspace.getConfiguration("foreword").get("server.path", "");
}

function runnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
