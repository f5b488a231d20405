// Package lsp is foreword's language server: it turns requests of an editor
// into calls of package commands, and the answers into LSP types.
//
// One feature is one file: hover.go, code_action.go, text_sync.go and so on.
// A handler is thin: it decodes, calls the [commands.Service], converts. It is
// one of two kinds:
//
//   - a writer changes what the server knows (didOpen, didChange, …). It runs
//     alone, in the order of the wire, and does no input or output;
//   - a reader answers a question. It calls [server.read] first, which takes
//     the newest snapshot and lets the next message start, and may then run for
//     long. It sees nothing that arrives after it.
//
// wire.go holds the queue that makes this so, and everything else that stands
// between us and the JSON-RPC library; frames.go refuses what that library
// would take as the end of the connection. convert.go is the only place that
// turns our types into the protocol's and back.
//
// To add a feature: write its file, name it in the table of dispatch.go,
// announce it in lifecycle.go, and give it an archive in testdata, which
// marker_test.go explains.
package lsp
