import * as vscode from "vscode";
import type { Choice } from "../chat/turn.js";
import type { PrepareTurnResult } from "../protocol.js";
import { ask, endpointsOf, modelsOf, requestOf, wireOf, type Endpoint } from "./endpoint.js";
import { ModelProblem } from "./problem.js";
import type { Delta } from "./stream.js";
import { askModel } from "./vscode_lm.js";

/** No model: the prompt is shown and copied. */
export const none: Choice = { id: "none", label: "", model: "", wire: "text" };

const chosenKey = "foreword.chat.model";

/** The models that can be asked, and which one is. */
export class Models implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  /** What endpoints without a list of models said that they have, by name. */
  private readonly listed = new Map<string, string[]>();
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      this.changes,
      vscode.lm.onDidChangeChatModels(() => this.changes.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration("foreword.chat.endpoints") && !event.affectsConfiguration("foreword.model"))
          return;
        this.listed.clear();
        this.changes.fire();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.changes.fire()),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** The model that the next message goes to. In Restricted Mode nothing is sent anywhere. */
  async current(): Promise<Choice> {
    if (!vscode.workspace.isTrusted) return this.nobody();
    const chosen = this.context.globalState.get<string>(chosenKey);
    if (chosen === none.id) return this.nobody();
    if (chosen !== undefined) {
      const found = await this.byID(chosen);
      if (found) return found;
    }
    const [model] = await vscode.lm.selectChatModels();
    if (model) return ofVSCode(model);
    for (const endpoint of this.endpoints()) {
      const first = endpoint.models[0] ?? this.listed.get(endpoint.name)?.[0] ?? this.settingsModel();
      if (first) return ofEndpoint(endpoint, first);
    }
    return this.nobody();
  }

  /** Sends a prepared request to the model that it was prepared for. */
  ask = async (
    choice: Choice,
    prepared: PrepareTurnResult,
    signal: AbortSignal,
    onDelta: (delta: Delta) => void,
  ): Promise<void> => {
    if (!vscode.workspace.isTrusted) throw new ModelProblem("permission", vscode.l10n.t("Restricted Mode"));
    if (choice.id.startsWith("vscode:")) {
      const id = choice.id.slice("vscode:".length);
      const [model] = await vscode.lm.selectChatModels({ id });
      if (!model) throw new ModelProblem("not-found", choice.label);
      return askModel(model, prepared.body, signal, onDelta);
    }
    const endpoint = this.endpoints().find(({ name }) => choice.id.startsWith(`endpoint:${name}/`));
    if (!endpoint) throw new ModelProblem("not-found", choice.label);
    await ask(endpoint, requestOf(endpoint, choice.model, await this.key(endpoint), prepared), signal, onDelta);
  };

  /** Lets the user choose a model. */
  async choose(): Promise<void> {
    const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { choice?: string; run?: () => Promise<void> }>();
    const abort = new AbortController();
    pick.title = vscode.l10n.t("Model of the chat");
    pick.placeholder = vscode.l10n.t("Which model answers?");
    pick.matchOnDescription = true;
    pick.busy = true;
    pick.show();
    const done = new Promise<void>((resolve) => {
      pick.onDidAccept(async () => {
        const [item] = pick.selectedItems;
        pick.hide();
        if (item?.run) await item.run();
        else if (item?.choice) await this.set(item.choice);
      });
      pick.onDidHide(() => {
        abort.abort();
        pick.dispose();
        resolve();
      });
    });
    const offered = await vscode.lm.selectChatModels();
    const endpoints = vscode.workspace.isTrusted ? this.endpoints() : [];
    const show = () => {
      pick.items = [
        ...group(
          "VS Code",
          offered.map((model) => item(ofVSCode(model), model.vendor)),
        ),
        ...endpoints.flatMap((endpoint) => {
          const models = endpoint.models.length > 0 ? endpoint.models : (this.listed.get(endpoint.name) ?? []);
          return group(
            endpoint.name,
            models.map((model) => item(ofEndpoint(endpoint, model), endpoint.name)),
          );
        }),
        { label: "", kind: vscode.QuickPickItemKind.Separator },
        { label: `$(copy) ${vscode.l10n.t("No model: show the prompt and copy it")}`, choice: none.id },
        { label: `$(key) ${vscode.l10n.t("Set API Key…")}`, run: () => this.setKey() },
        { label: `$(gear) ${vscode.l10n.t("Add an endpoint in the settings…")}`, run: openSettings },
      ];
    };
    show();
    await Promise.all(
      endpoints
        .filter(({ models }) => models.length === 0)
        .map(async (endpoint) => {
          try {
            this.listed.set(endpoint.name, await modelsOf(endpoint, await this.key(endpoint), abort.signal));
            if (!abort.signal.aborted) show();
          } catch (error) {
            if (!abort.signal.aborted) this.log.warn(`models of ${endpoint.name}: ${String(error)}`);
          }
        }),
    );
    if (!abort.signal.aborted) pick.busy = false;
    await done;
  }

  /** Asks for the key of an endpoint and keeps it where the editor keeps secrets. */
  async setKey(): Promise<void> {
    const endpoints = this.endpoints();
    if (endpoints.length === 0) return openSettings();
    const [only] = endpoints;
    const endpoint =
      endpoints.length === 1
        ? only
        : (
            await vscode.window.showQuickPick(
              endpoints.map((one) => ({ label: one.name, description: one.url, endpoint: one })),
              { title: vscode.l10n.t("Whose key is it?") },
            )
          )?.endpoint;
    if (!endpoint) return;
    const key = await vscode.window.showInputBox({
      title: vscode.l10n.t("API key of {0}", endpoint.name),
      prompt: vscode.l10n.t(
        "It is kept in VS Code's secret storage and sent to {0} only. Leave it empty to forget it.",
        endpoint.url,
      ),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return;
    if (key.trim() === "") await this.context.secrets.delete(secretOf(endpoint));
    else await this.context.secrets.store(secretOf(endpoint), key.trim());
    this.changes.fire();
  }

  /** Names the model, for a choice that an agent or a test makes. */
  async set(id: string): Promise<void> {
    await this.context.globalState.update(chosenKey, id);
    this.changes.fire();
  }

  private nobody(): Choice {
    const model = this.settingsModel();
    return { ...none, label: vscode.l10n.t("No model"), ...(model ? { model } : {}) };
  }

  private settingsModel(): string {
    return vscode.workspace.getConfiguration("foreword").get("model", "");
  }

  private async byID(id: string): Promise<Choice | undefined> {
    if (id.startsWith("vscode:")) {
      const [model] = await vscode.lm.selectChatModels({ id: id.slice("vscode:".length) });
      return model && ofVSCode(model);
    }
    for (const endpoint of this.endpoints()) {
      const prefix = `endpoint:${endpoint.name}/`;
      if (id.startsWith(prefix)) return ofEndpoint(endpoint, id.slice(prefix.length));
    }
    return undefined;
  }

  private endpoints(): Endpoint[] {
    // Of machine scope: what a workspace says does not count.
    const { endpoints, wrong } = endpointsOf(vscode.workspace.getConfiguration("foreword").get("chat.endpoints"));
    if (wrong.length > 0)
      this.log.warn(`foreword.chat.endpoints: left out, since name, type or url is wrong: ${wrong.join(", ")}`);
    return endpoints;
  }

  private key(endpoint: Endpoint): Thenable<string | undefined> {
    return this.context.secrets.get(secretOf(endpoint));
  }
}

/** A key belongs to an address: an endpoint that is moved elsewhere must not take the key along. */
const secretOf = (endpoint: Endpoint) => `foreword.key:${endpoint.url}`;

function ofEndpoint(endpoint: Endpoint, model: string): Choice {
  return {
    id: `endpoint:${endpoint.name}/${model}`,
    label: model,
    model,
    wire: wireOf(endpoint.type),
    ...(endpoint.provider ? { provider: endpoint.provider } : {}),
    ...(endpoint.window ? { window: endpoint.window } : {}),
  };
}

function ofVSCode(model: vscode.LanguageModelChat): Choice {
  return {
    id: `vscode:${model.id}`,
    label: model.name,
    model: model.family || model.id,
    wire: "vscode-lm",
    ...(model.maxInputTokens > 0 ? { window: model.maxInputTokens } : {}),
  };
}

function group<T extends vscode.QuickPickItem>(label: string, items: T[]): (T | vscode.QuickPickItem)[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

const item = (choice: Choice, description: string) => ({ label: choice.label, description, choice: choice.id });

/** Opens the setting of the endpoints. */
export async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", "foreword.chat.endpoints");
}
