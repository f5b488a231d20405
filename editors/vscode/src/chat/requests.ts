import * as vscode from "vscode";
import { show } from "../documents.js";
import type { PrepareTurnResult } from "../protocol.js";
import { requestPage } from "./request_page.js";

const scheme = "foreword-turn";

/** The requests of the last turns, as documents to read and to compare. */
export class Requests implements vscode.TextDocumentContentProvider, vscode.Disposable {
  /** By conversation the last two turns, the newest last. */
  private readonly kept = new Map<string, PrepareTurnResult[]>();
  /** By conversation what the server says of the difference. */
  private readonly accounts = new Map<string, string>();
  private readonly subscription: vscode.Disposable;

  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;

  constructor() {
    this.subscription = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changes.dispose();
  }

  keep(conversation: string, prepared: PrepareTurnResult): void {
    const { bodyText } = prepared;
    const body = bodyText === undefined ? prepared.body : (JSON.parse(bodyText) as Record<string, unknown>);
    this.kept.set(conversation, [...(this.kept.get(conversation) ?? []), { ...prepared, body }].slice(-2));
  }

  last(conversation: string): PrepareTurnResult | undefined {
    return this.kept.get(conversation)?.at(-1);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const { conversation, turn } = JSON.parse(uri.query) as { conversation: string; turn: number };
    if (turn === 0) return this.accounts.get(conversation) ?? "";
    const prepared = this.kept.get(conversation)?.find((one) => one.turn === turn);
    return prepared ? requestPage(prepared, vscode.l10n.t) : vscode.l10n.t("This request is no longer kept.");
  }

  async show(conversation: string): Promise<void> {
    const last = this.last(conversation);
    if (last) await show(uriOf(conversation, last.turn));
  }

  /** Shows the last two requests side by side; those of an earlier window the server has, and gives an account of. */
  async showDifference(conversation: string, account: () => Promise<string>): Promise<void> {
    const [before, after] = this.kept.get(conversation) ?? [];
    if (before && after) {
      await vscode.commands.executeCommand(
        "vscode.diff",
        uriOf(conversation, before.turn),
        uriOf(conversation, after.turn),
        vscode.l10n.t("Request of turn {0} ↔ turn {1}", before.turn, after.turn),
      );
      return;
    }
    this.accounts.set(conversation, await account());
    const uri = uriOf(conversation, 0);
    this.changes.fire(uri);
    await show(uri);
  }
}

function uriOf(conversation: string, turn: number): vscode.Uri {
  return vscode.Uri.from({
    scheme,
    path: turn === 0 ? "/what changed.md" : `/turn ${turn}.md`,
    query: JSON.stringify({ conversation, turn }),
  });
}
