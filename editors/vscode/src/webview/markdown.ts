import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import MarkdownIt from "markdown-it";
import { t } from "./strings.js";

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Beyond this a block is shown without colours: they cost more than they say. */
const longestColoured = 50_000;

// What a model writes is foreign text: HTML in it is shown as text, and nothing is loaded.
const md = new MarkdownIt({ html: false, linkify: false, breaks: false, typographer: false });
const escape = md.utils.escapeHtml;

md.renderer.rules.image = (tokens, i) => {
  const token = tokens[i];
  const source = String(token?.attrGet("src") ?? "");
  // An address that is asked for a picture is told whatever stands in it.
  return `<span class="image" title="${escape(t("Pictures are not loaded"))}">${escape(token?.content || source)} <code>${escape(source)}</code></span>`;
};

md.renderer.rules.link_open = (tokens, i, options, _env, self) => {
  const token = tokens[i];
  const href = token?.attrGet("href") ?? "";
  token?.attrSet("title", href);
  token?.attrSet("data-link", href);
  token?.attrSet("href", "#"); // the extension opens it, after VS Code has asked
  return self.renderToken(tokens, i, options);
};

md.renderer.rules.fence = (tokens, i) => {
  const token = tokens[i];
  return codeBlock(token?.content ?? "", token?.info.trim().split(/[\s{,:]/)[0] ?? "");
};
md.renderer.rules.code_block = (tokens, i) => codeBlock(tokens[i]?.content ?? "", "");

// A table may be wider than the panel.
md.renderer.rules.table_open = () => `<div class="wide" tabindex="0"><table>`;
md.renderer.rules.table_close = () => `</table></div>`;

function codeBlock(code: string, language: string): string {
  const known = language !== "" && hljs.getLanguage(language) && code.length < longestColoured;
  const coloured = known ? hljs.highlight(code, { language, ignoreIllegals: true }).value : escape(code);
  const button = (action: string, label: string) =>
    `<button type="button" class="text-button" data-do="${action}">${escape(label)}</button>`;
  return (
    `<div class="code" data-language="${escape(language)}"><div class="code-bar"><span class="language">${escape(language)}</span>` +
    `${button("copy", t("Copy"))}${button("insert", t("Insert"))}${button("apply", t("Apply…"))}</div>` +
    `<pre tabindex="0"><code>${coloured}</code></pre></div>`
  );
}

/** The blocks of a text, each as HTML; while a text grows only the last ones change. */
export function blocksOf(text: string): string[] {
  const env = {};
  const tokens = md.parse(text, env);
  const blocks: string[] = [];
  let from = 0;
  let depth = 0;
  tokens.forEach((token, i) => {
    depth += token.nesting;
    if (depth > 0) return;
    blocks.push(md.renderer.render(tokens.slice(from, i + 1), md.options, env));
    from = i + 1;
  });
  return blocks;
}

/** Shows a text in an element, and changes there only what is another block now. */
export function showMarkdown(element: HTMLElement & { blocks?: string[] }, text: string): void {
  const blocks = blocksOf(text);
  const before = element.blocks ?? [];
  let same = 0;
  while (same < before.length && before[same] === blocks[same]) same++;
  while (element.children.length > same) element.lastElementChild?.remove();
  for (const block of blocks.slice(same)) {
    const holder = document.createElement("div");
    holder.innerHTML = block; // made by markdown-it with HTML off
    element.append(holder);
  }
  element.blocks = blocks;
}
