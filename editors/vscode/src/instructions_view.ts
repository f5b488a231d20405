import * as path from "node:path";
import * as vscode from "vscode";
import type { Client } from "./client.js";
import { debounce } from "./debounce.js";
import { text } from "./error_text.js";
import { listNodes, roots, toolNodes, wanted, type Node } from "./instruction_nodes.js";
import { activeFile } from "./subject.js";

/** How long to wait after a change before asking, in ms, as the status bar does. */
const rest = 50;

/** The view "Instructions". It asks the server nothing before it can be seen. */
export class InstructionsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<undefined>();
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: vscode.Disposable[];
  /** The file that the rows are about. It stays while an editor without a file is in front. */
  private file: vscode.Uri | undefined;

  readonly onDidChangeTreeData = this.changes.event;

  constructor(private readonly client: Client) {
    this.view = vscode.window.createTreeView("foreword.instructions", { treeDataProvider: this, showCollapseAll: true });
    const update = debounce(rest, () => this.refresh());
    const moved = () => {
      const file = activeFile();
      if (file && file.toString() !== this.file?.toString()) update.call();
    };
    this.subscriptions = [
      this.changes,
      this.view,
      update,
      client.onDidChangePrompt(update.call),
      client.onDidChangeState(update.call),
      vscode.window.onDidChangeActiveTextEditor(moved),
      vscode.window.tabGroups.onDidChangeTabs(moved),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Asks again for all that can be seen. */
  refresh(): void {
    this.changes.fire(undefined);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node?.children) return node.children;
    try {
      return node ? await this.ask(node) : await this.top();
    } catch (error) {
      const message = text(error);
      return [{ id: `${node?.id ?? ""}/error`, label: message, description: "", tooltip: message, icon: "error" }];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const below = node.children !== undefined || node.ask !== undefined;
    const item = new vscode.TreeItem(node.label, below ? (node.expanded ? Expanded : Collapsed) : None);
    item.id = node.id;
    item.description = node.description;
    item.iconPath = new vscode.ThemeIcon(node.icon);
    item.accessibilityInformation = { label: `${node.label} ${node.description}` };
    if (node.tooltip !== undefined) item.tooltip = new vscode.MarkdownString(node.tooltip);
    if (node.open) {
      const uri = vscode.Uri.parse(node.open.uri, true);
      const place = new vscode.Range(node.open.line, 0, node.open.line, 0);
      item.contextValue = "file";
      item.command = { title: vscode.l10n.t("Open"), command: "vscode.open", arguments: [uri, { selection: place }] };
    }
    return item;
  }

  private async top(): Promise<Node[]> {
    this.file = activeFile() ?? this.file;
    const { file } = this;
    const result = file && (await this.client.command("foreword.instructions.explain", { uri: this.client.wireUri(file) }));
    const count = wanted(result);
    this.view.badge =
      count === 0
        ? undefined
        : { value: count, tooltip: vscode.l10n.t("{0} instruction files are not sent as they are", count) };
    return roots(file && path.posix.basename(file.path), result, vscode.l10n.t);
  }

  private async ask(node: Node): Promise<Node[]> {
    if (node.ask === "workspace")
      return listNodes(await this.client.command("foreword.instructions.list", {}), vscode.l10n.t);
    const place = this.file ?? vscode.workspace.workspaceFolders?.[0]?.uri;
    if (!place) throw new Error(vscode.l10n.t("Open a file or a folder first."));
    const params = { uri: this.client.wireUri(place), profiles: ["*"] };
    return toolNodes(await this.client.command("foreword.instructions.explain", params), vscode.l10n.t);
  }
}
