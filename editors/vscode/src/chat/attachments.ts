import * as path from "node:path";
import * as vscode from "vscode";
import type { Client } from "../client.js";
import { isReal } from "../focus.js";
import { rank, wildcard } from "./matching.js";
import type { Attachment, Suggestion } from "./messages.js";

/** How many files a folder or the open editors may bring. */
const mostFiles = 50;

interface Symbol {
  name: string;
  uri: string;
  from: number;
  to: number;
}

/** What can be attached to a message, and what becomes of it. */
export class Attachments {
  constructor(
    private readonly client: Client,
    private readonly newID: () => string,
  ) {}

  /** What fits the word behind the @. */
  async suggest(query: string): Promise<Suggestion[]> {
    const fixed = fixedSuggestions().filter(({ label, choice }) =>
      [label, choice].some((name) => name.toLowerCase().startsWith(query.toLowerCase())),
    );
    const [files, symbols] = await Promise.all([this.files(query), query.length < 2 ? [] : symbolsNamed(query)]);
    return [...(query === "" ? fixed : []), ...files, ...symbols, ...(query === "" ? [] : fixed)].slice(0, 40);
  }

  private async files(query: string): Promise<Suggestion[]> {
    const open = openFiles();
    const found = query === "" ? [] : await vscode.workspace.findFiles(`**/*${wildcard(query)}*`, undefined, 200);
    const within = query === "" ? [] : await vscode.workspace.findFiles(`**/*${wildcard(query)}*/**`, undefined, 200);
    const folders = new Map<string, vscode.Uri>();
    for (const file of [...found, ...within])
      for (let uri = parent(file); vscode.workspace.getWorkspaceFolder(uri) && relative(uri) !== ""; uri = parent(uri))
        folders.set(uri.toString(), uri);
    const items = [
      ...unique([...open, ...found, ...(query.includes("/") ? within : [])]).map((uri) => ({
        label: path.posix.basename(uri.path),
        detail: relative(uri),
        icon: "file",
        choice: `file:${uri.toString()}`,
      })),
      ...[...folders.values()].map((uri) => ({
        label: `${path.posix.basename(uri.path)}/`,
        detail: relative(uri),
        icon: "folder",
        choice: `folder:${uri.toString()}`,
      })),
    ];
    return rank(items, query).slice(0, 20);
  }

  /** Makes an attachment of what was chosen; nothing where there is nothing of that kind. */
  async attach(choice: string): Promise<Attachment | undefined> {
    const [, kind = choice, rest = ""] = /^(\w+):(.*)$/s.exec(choice) ?? [];
    switch (kind) {
      case "file":
        return this.weighed(this.ofFile(vscode.Uri.parse(rest, true)));
      case "folder":
        return this.weighed(await this.ofFolder(vscode.Uri.parse(rest, true)));
      case "symbol":
        return this.weighed(await this.ofSymbol(JSON.parse(rest) as Symbol));
      case "selection":
        return this.weighed(this.ofSelection());
      case "diagnostics":
        return this.weighed(await this.ofDiagnostics());
      case "editors":
        return this.weighed(this.ofEditors());
      case "diff":
        return this.weighed(await this.ofDiff());
      default:
        return undefined;
    }
  }

  private ofFile(uri: vscode.Uri): Attachment {
    return {
      id: this.newID(),
      kind: "file",
      label: path.posix.basename(uri.path),
      detail: relative(uri),
      files: [this.client.wireUri(uri)],
    };
  }

  private async ofFolder(uri: vscode.Uri): Promise<Attachment> {
    const files = await vscode.workspace.findFiles(new vscode.RelativePattern(uri, "**/*"), undefined, mostFiles + 1);
    const more = files.length > mostFiles;
    return {
      id: this.newID(),
      kind: "folder",
      label: `${path.posix.basename(uri.path)}/`,
      detail: more
        ? vscode.l10n.t("{0}: the first {1} files", relative(uri), mostFiles)
        : vscode.l10n.t("{0}: {1} files", relative(uri), files.length),
      files: files
        .slice(0, mostFiles)
        .map((file) => this.client.wireUri(file))
        .sort(),
    };
  }

  private async ofSymbol(symbol: Symbol): Promise<Attachment | undefined> {
    const uri = vscode.Uri.parse(symbol.uri, true);
    const document = await vscode.workspace.openTextDocument(uri);
    return this.ofLines("symbol", symbol.name, document, symbol.from, symbol.to);
  }

  private ofSelection(): Attachment | undefined {
    const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
    if (!editor || editor.selection.isEmpty || !isReal(editor.document.uri)) return undefined;
    const { start, end } = editor.selection;
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    const name = path.posix.basename(editor.document.uri.path);
    return this.ofLines("selection", `${name}:${start.line + 1}–${last + 1}`, editor.document, start.line, last);
  }

  private ofLines(
    kind: "selection" | "symbol",
    label: string,
    document: vscode.TextDocument,
    from: number,
    to: number,
  ): Attachment {
    const range = document.validateRange(new vscode.Range(from, 0, to, Number.MAX_SAFE_INTEGER));
    const place = `${relative(document.uri)}:${from + 1}-${to + 1}`;
    return {
      id: this.newID(),
      kind,
      label,
      detail: place,
      text: fenced(place, document.getText(range)),
    };
  }

  private async ofDiagnostics(): Promise<Attachment | undefined> {
    const all = vscode.languages
      .getDiagnostics()
      .filter(([uri, found]) => found.length > 0 && uri.scheme === "file" && vscode.workspace.getWorkspaceFolder(uri));
    const refused = await this.refusals(all.map(([uri]) => this.client.wireUri(uri)));
    const lines = all
      .filter(([uri]) => !refused.has(relative(uri)))
      .flatMap(([uri, found]) =>
        found
          .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
          .map(({ range, severity, message, source }) => {
            const word = severity === vscode.DiagnosticSeverity.Error ? "error" : "warning";
            const by = source ? ` [${source}]` : "";
            return `${relative(uri)}:${range.start.line + 1}: ${word}: ${message.replace(/\s+/g, " ")}${by}`;
          }),
      )
      .sort();
    if (lines.length === 0) return undefined;
    return {
      id: this.newID(),
      kind: "diagnostics",
      label: vscode.l10n.t("{0} problems", lines.length),
      detail: lines.slice(0, 10).join("\n"),
      text: fenced("problems", lines.join("\n")),
    };
  }

  private ofEditors(): Attachment | undefined {
    const files = openFiles().slice(0, mostFiles);
    if (files.length === 0) return undefined;
    return {
      id: this.newID(),
      kind: "editors",
      label: vscode.l10n.t("{0} open editors", files.length),
      detail: files.map(relative).join("\n"),
      files: files.map((uri) => this.client.wireUri(uri)),
    };
  }

  /** The server makes it: it knows what is secret and what git ignores. */
  private async ofDiff(): Promise<Attachment | undefined> {
    const text = await this.diff();
    if (!text) return undefined;
    return {
      id: this.newID(),
      kind: "diff",
      label: vscode.l10n.t("Changes"),
      detail: vscode.l10n.t("What git says is changed and not committed"),
      text: fenced("diff", text),
    };
  }

  /** Gives the text of git's diff. */
  diff: () => Promise<string> = () => Promise.resolve("");

  /** Says what an attachment costs, and what foreword will not send of it. */
  private async weighed(attachment: Attachment | undefined): Promise<Attachment | undefined> {
    if (!attachment) return undefined;
    const { files, text } = attachment;
    if (text !== undefined) {
      const { tokens, counter } = await this.client.command("foreword.tokens.count", { text });
      return { ...attachment, tokens, about: counter === "estimate" };
    }
    // What the server does to a message with these files, without keeping anything of it.
    const { report, warnings } = await this.client.command("foreword.history.prepare", {
      messages: [{ id: attachment.id, role: "user", content: "", ...(files ? { files } : {}) }],
      budget: 100_000_000,
    });
    const refused = warnings
      .filter(({ code }) => code === "attachment-left-out")
      .map(({ message }) => {
        const [, file = "", why = message] = /^(.*?) is not embedded: (.*)$/s.exec(message) ?? [];
        return (files?.length ?? 0) > 1 && file ? `${path.posix.basename(file)}: ${why}` : why;
      });
    return {
      ...attachment,
      tokens: Math.max(0, report.after - report.before),
      about: report.counter === "estimate",
      ...(refused.length > 0 ? { refused: refused.join("\n") } : {}),
    };
  }

  /** The paths, relative as the server names them, that it would refuse. */
  private async refusals(files: string[]): Promise<Set<string>> {
    if (files.length === 0) return new Set();
    const { warnings } = await this.client.command("foreword.history.prepare", {
      messages: [{ id: "x", role: "user", content: "", files }],
      budget: 100_000_000,
    });
    const names = warnings.flatMap(({ message }) => /^(.*?) is not embedded: /s.exec(message)?.[1] ?? []);
    return new Set(names.map((name) => (name.includes("://") ? relative(vscode.Uri.parse(name)) : name)));
  }
}

function fixedSuggestions(): Suggestion[] {
  return [
    {
      label: vscode.l10n.t("Selection"),
      detail: vscode.l10n.t("What is selected in the editor"),
      icon: "selection",
      choice: "selection",
    },
    {
      label: vscode.l10n.t("Problems"),
      detail: vscode.l10n.t("Errors and warnings of the workspace"),
      icon: "problems",
      choice: "diagnostics",
    },
    {
      label: vscode.l10n.t("Changes"),
      detail: vscode.l10n.t("What git says is changed and not committed"),
      icon: "diff",
      choice: "diff",
    },
    {
      label: vscode.l10n.t("Open Editors"),
      detail: vscode.l10n.t("The files that are open"),
      icon: "editors",
      choice: "editors",
    },
  ];
}

async function symbolsNamed(query: string): Promise<Suggestion[]> {
  const found =
    (await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      "vscode.executeWorkspaceSymbolProvider",
      query,
    )) ?? [];
  return found
    .filter(({ location }) => location.uri.scheme === "file" && vscode.workspace.getWorkspaceFolder(location.uri))
    .slice(0, 10)
    .map(({ name, location }) => ({
      label: name,
      detail: `${relative(location.uri)}:${location.range.start.line + 1}`,
      icon: "symbol",
      choice: `symbol:${JSON.stringify({ name, uri: location.uri.toString(), from: location.range.start.line, to: location.range.end.line } satisfies Symbol)}`,
    }));
}

function openFiles(): vscode.Uri[] {
  const inputs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.input as unknown));
  const uris = inputs.flatMap((input) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  return unique(uris.filter((uri) => uri.scheme === "file"));
}

const unique = (uris: vscode.Uri[]) => [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
const parent = (uri: vscode.Uri) => vscode.Uri.joinPath(uri, "..");
const relative = (uri: vscode.Uri) => {
  const name = vscode.workspace.asRelativePath(uri);
  return name === uri.fsPath && vscode.workspace.getWorkspaceFolder(uri)?.uri.path === uri.path ? "" : name;
};

/** Puts a text into a fence that it cannot close itself. */
export function fenced(name: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${name}\n${text}\n${fence}`;
}
