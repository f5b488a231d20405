package main

// example is one use of a command.
type example struct {
	// params is the JSON of the parameters; a test decodes it strictly.
	params string
	// cli does about the same on the command line; empty where there is no way.
	cli string
}

// examples has one entry for each command.
var examples = map[string]example{
	"foreword.prompt.build": {`{
  "uri": "file:///home/ada/shop/web/cart.ts",
  "model": "claude-sonnet-4-5",
  "mode": "plan",
  "tools": [{"name": "read", "description": "Reads a file."}]
}`, `foreword prompt --model claude-sonnet-4-5 --mode plan --json web/cart.ts`},
	"foreword.prompt.preview": {`{
  "uri": "file:///home/ada/shop/web/cart.ts",
  "model": "gpt-5"
}`, `foreword prompt --preview --model gpt-5 web/cart.ts`},
	"foreword.prompt.diff": {`{
  "session": "panel-1",
  "from": 1,
  "to": 2
}`, `foreword session diff --json --from 1 --to 2 panel-1`},
	"foreword.session.list": {`{
  "folder": "file:///home/ada/shop",
  "limit": 10
}`, `foreword session list --json --limit 10`},
	"foreword.session.show": {`{
  "session": "panel-1",
  "messages": true
}`, `foreword session show --json --messages panel-1`},
	"foreword.session.rebase": {`{
  "session": "panel-1"
}`, `foreword session rebase --json panel-1`},
	"foreword.session.fork": {`{
  "session": "panel-1",
  "turn": 2,
  "as": "panel-2"
}`, `foreword session fork --json --turn 2 panel-1 panel-2`},
	"foreword.session.forget": {`{
  "session": "panel-2"
}`, `foreword session forget --json panel-2`},
	"foreword.turn.prepare": {`{
  "uri": "file:///home/ada/shop/web/cart.ts",
  "session": "panel-1",
  "model": "claude-sonnet-4-5",
  "wire": "anthropic",
  "reserve": 8000,
  "messages": [
    {"id": "m1", "role": "user", "content": "Why is the total wrong?"},
    {"role": "assistant", "toolCalls": [{"id": "c1", "name": "read", "arguments": {"path": "web/cart.ts"}}]},
    {"id": "m2", "role": "tool", "toolCallID": "c1", "content": "export const total = 0"}
  ]
}`, `foreword turn turn.json`},
	"foreword.turn.finish": {`{
  "session": "panel-1",
  "turn": 1,
  "usage": {"input": 5210, "output": 312, "cacheRead": 4096}
}`, ``},
	"foreword.history.prepare": {`{
  "model": "gpt-5",
  "budget": 4000,
  "messages": [
    {"role": "system", "content": "Be brief.", "pinned": true},
    {"role": "user", "content": [{"type": "text", "text": "What is in the picture?"}, {"type": "image", "url": "https://example.org/a.png"}]}
  ]
}`, `foreword history messages.json`},
	"foreword.history.compact": {`{
  "model": "gpt-5",
  "tailTurns": 1,
  "messages": [
    {"role": "user", "content": "Why is the total wrong?"},
    {"role": "assistant", "content": "The sum leaves out the shipping. I have mended it in web/cart.ts."},
    {"role": "user", "content": "Now write a test."}
  ]
}`, `foreword history --compact messages.json`},
	"foreword.context.touch": {`{
  "session": "panel-1",
  "message": "m2",
  "uris": ["file:///home/ada/shop/web/cart.ts"],
  "kind": "read"
}`, `foreword touch web/cart.ts`},
	"foreword.instructions.explain": {`{
  "uri": "file:///home/ada/shop/web/cart.ts"
}`, `foreword explain --json web/cart.ts`},
	"foreword.instructions.list": {`{
  "folder": "file:///home/ada/shop/web"
}`, `foreword list --json web`},
	"foreword.instructions.check": {`{
  "uris": ["file:///home/ada/shop/web"],
  "tools": ["codex", "claude-code"]
}`, `foreword check --tools codex,claude-code --json web`},
	"foreword.skills.list": {`{
  "uri": "file:///home/ada/shop/web/cart.ts"
}`, `foreword skills --json`},
	"foreword.skills.load": {`{
  "name": "release",
  "uri": "file:///home/ada/shop/web/cart.ts"
}`, `foreword skills --json release`},
	"foreword.tools.list": {`{
  "uri": "file:///home/ada/shop/web/cart.ts",
  "agent": "plan"
}`, `foreword tool --agent plan --json`},
	"foreword.tools.call": {`{
  "name": "read",
  "arguments": {"path": "web/cart.ts", "offset": 40, "limit": 20},
  "uri": "file:///home/ada/shop/web/cart.ts",
  "session": "panel-1",
  "message": "m2"
}`, `foreword tool read '{"path": "web/cart.ts", "offset": 40, "limit": 20}' --json`},
	"foreword.tokens.count": {`{
  "text": "How long is this?",
  "model": "gpt-5"
}`, `foreword count --model gpt-5 README.md`},
	"foreword.text.compress": {`{
  "text": "The build is slow. It takes nine minutes. The cause is the cache in ci/cache.sh. Nobody likes that.",
  "task": "find out why the build is slow"
}`, `foreword compress --task "find out why the build is slow" notes.md`},
	"foreword.text.density": {`{
  "messages": [
    {"role": "user", "content": "Why is the total wrong?"},
    {"role": "user", "content": "Why is the total wrong?"}
  ]
}`, `foreword density messages.json`},
	"foreword.status": {`{
  "uri": "file:///home/ada/shop/web/cart.ts"
}`, `foreword doctor --json`},
	"foreword.trust": {`{
  "folder": "file:///home/ada/shop",
  "trusted": true
}`, `foreword trust .`},
	"foreword.trust.commands": {`{
  "folder": "file:///home/ada/shop"
}`, `foreword trust --commands .`},
}
