import * as vscode from "vscode";

/** The page of the panel. It may load our script and style and nothing else, from nowhere else. */
export function pageOf(webview: vscode.Webview, dist: vscode.Uri, nonce: string): string {
  const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Foreword</title>
<link rel="stylesheet" href="${uri("webview.css")}">
</head>
<body>
<main id="app"></main>
<script nonce="${nonce}" src="${uri("webview.js")}"></script>
</body>
</html>`;
}
