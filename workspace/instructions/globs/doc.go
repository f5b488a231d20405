// Package globs answers which files a path-scoped rule speaks of, as the tool that owns the rule would answer. Each
// tool has its own idea of a glob pattern, and of the list in which patterns stand; the same text names different
// files in two of them. A [Dialect] is one such idea; [Split] takes a list apart, [Compile] reads its patterns, and
// [Set.Match] answers for one path.
//
// Nothing here reads a file. Matching takes time in proportion to the path's length times the pattern's, whatever the
// pattern, and allocates nothing. Groups that repeat, as in +(a|b), cost a factor of the name's length more, and may be
// one in the other once.
//
// # Where the rules come from
//
// Checked 2026-11-30:
//
//   - [Minimatch]: continuedev/continue core/llm/rules/getSystemMessageWithRules.ts (how "!" is taken off, and that a
//     string is one pattern) and isaacs/minimatch 9 with its default options.
//   - [Picomatch]: cline/cline apps/vscode/src/core/context/instructions/user-instructions/rule-conditionals.ts (each
//     pattern is asked alone, with dot: true) and micromatch/picomatch 4.
//   - [Gitignore]: https://code.claude.com/docs/en/memory (braces and bracket expressions; nothing is said of "!");
//     matching like that of a .gitignore file is reported, not documented. Pattern rules:
//     https://git-scm.com/docs/gitignore. The page lists "*.md" as the project's root only; users report any depth.
//   - [VSCode]: microsoft/vscode src/vs/workbench/contrib/chat/common/promptSyntax/computeAutomaticInstructions.ts
//     and src/vs/base/common/glob.ts.
//   - [GitHub]: https://docs.github.com/en/copilot/how-tos/configure-custom-instructions/add-repository-instructions.
//     Braces, dotfiles and letter case are not documented.
//   - [Cursor]: https://cursor.com/docs/rules and https://forum.cursor.com/t/rule-frontmatter-format/146274 (plain
//     text, no quotes); that braces are not expanded is reported, not documented.
//
// testdata/recorded holds what the four matchers that can be run answered to random patterns. On some forms
// that nobody writes they are followed no further: ** beside something else than a slash in picomatch ("a**{b,c}"), a
// "?" behind a group there, a negated bracket expression that matches a slash in VS Code, !( beside a star in minimatch.
//
// # Adding a dialect
//
// A tool whose patterns differ from another's only in what [rules] has a field for needs a constant and an entry in
// the table of dialects.go, a line above, and a file testdata/<dialect>.txt of patterns, paths and right answers. A
// rule of a new kind needs a field in [rules], read where the others are: by the brace parser (braces.go), the
// pattern reader (compile.go), the segment reader (segment.go) or the matcher (set.go). Where the tool's own library
// can be run, let it write the answers.
package globs
