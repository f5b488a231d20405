import * as vscode from "vscode";
import { rowOf, sectionLinks } from "./origin.js";
import { explainScheme, previewScheme } from "./target.js";

/** "Go to Definition" in a virtual document leads to the line of the file that it came from. */
export function registerOrigins(): vscode.Disposable {
  return vscode.languages.registerDefinitionProvider([{ scheme: previewScheme }, { scheme: explainScheme }], {
    async provideDefinition(document, position, token) {
      const text = document.lineAt(position.line).text;
      const found: vscode.Location[] = [];
      for (const link of sectionLinks(document.getText().split(/\r?\n/), position.line)) {
        const file = await vscode.workspace.openTextDocument(vscode.Uri.parse(link.uri, true)).then(
          (opened) => opened,
          () => undefined, // gone since
        );
        if (token.isCancellationRequested) return undefined;
        if (!file) continue;
        const row = rowOf(link, text, file.getText().split(/\r?\n/));
        found.push(new vscode.Location(file.uri, new vscode.Position(Math.min(row, file.lineCount - 1), 0)));
      }
      return found;
    },
  });
}
