package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// writeTypeScript makes the types of the VS Code extension.
func writeTypeScript(c *contract) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n", header)
	for _, o := range c.objects {
		b.WriteString("\n")
		tsDoc(&b, "", o.doc)
		fmt.Fprintf(&b, "export interface %s {\n", o.name)
		for _, m := range o.members {
			tsDoc(&b, "  ", m.doc)
			optional := "?"
			if m.required {
				optional = ""
			}
			fmt.Fprintf(&b, "  %s%s: %s;\n", m.name, optional, tsType(m.typ))
		}
		if o.open {
			b.WriteString("  /** Members that foreword does not know are kept. */\n  [member: string]: unknown;\n")
		}
		b.WriteString("}\n")
	}

	b.WriteString("\n/** The parameters and the result of every command. */\nexport interface Commands {\n")
	for _, call := range c.calls {
		tsDoc(&b, "  ", call.Summary)
		fmt.Fprintf(&b, "  %q: { params: %s; result: %s };\n", call.Name, call.params.name, call.result.name)
	}
	b.WriteString("}\n\n/** The name of a command. */\nexport type CommandName = keyof Commands;\n")
	b.WriteString("\n/** Every command, in the order of the reference. */\nexport const commandNames = [\n")
	for _, call := range c.calls {
		fmt.Fprintf(&b, "  %q,\n", call.Name)
	}
	b.WriteString("] as const satisfies readonly CommandName[];\n")

	tsNotices(&b, c, true, "ClientNotifications", "The parameters of the notifications that a client may send.")
	tsNotices(&b, c, false, "ServerNotifications", "The parameters of the notifications that the server sends to clients that ask for them.")

	b.WriteString("\n/** The requests that the server sends to clients which offer to answer them. */\nexport interface ServerRequests {\n")
	for _, q := range c.asked {
		tsDoc(&b, "  ", q.Summary)
		fmt.Fprintf(&b, "  %q: { params: %s; result: %s };\n", q.Name, q.params.name, q.result.name)
	}
	b.WriteString("}\n")

	b.WriteString("\n/** The value of `data.code` in the error of a command. */\nexport type ErrorCode =")
	for _, code := range c.codes {
		fmt.Fprintf(&b, "\n  /** %s */\n  | %q", code.doc, code.name)
	}
	b.WriteString(";\n")
	return b.Bytes()
}

func tsNotices(b *bytes.Buffer, c *contract, fromClient bool, name, doc string) {
	fmt.Fprintf(b, "\n/** %s */\nexport interface %s {\n", doc, name)
	for _, n := range c.notices {
		if n.FromClient == fromClient {
			tsDoc(b, "  ", n.Summary)
			fmt.Fprintf(b, "  %q: %s;\n", n.Name, n.params.name)
		}
	}
	b.WriteString("}\n")
}

func tsDoc(b *bytes.Buffer, indent, doc string) {
	if doc != "" {
		fmt.Fprintf(b, "%s/** %s */\n", indent, strings.ReplaceAll(doc, "*/", "*\\/"))
	}
}

func tsType(t valueType) string {
	switch t.kind {
	case kindString:
		if len(t.enum) > 0 {
			return quotedUnion(t.enum, " | ")
		}
		return "string"
	case kindInteger, kindNumber:
		return "number"
	case kindBoolean:
		return "boolean"
	case kindAny:
		return "unknown"
	case kindObject:
		return "Record<string, unknown>"
	case kindList:
		inner := tsType(*t.a)
		if strings.Contains(inner, " | ") {
			inner = "(" + inner + ")"
		}
		return inner + "[]"
	case kindTuple:
		return "[" + strings.Repeat(tsType(*t.a)+", ", t.length-1) + tsType(*t.a) + "]"
	case kindMap:
		return "Record<string, " + tsType(*t.a) + ">"
	case kindUnion:
		return tsType(*t.a) + " | " + tsType(*t.b)
	}
	return t.name
}

// quotedUnion writes "a" | "b".
func quotedUnion(words []string, between string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return strings.Join(quoted, between)
}
