package main

import (
	"bytes"
	"fmt"
	"strings"
)

// writeLua makes the annotations of the Neovim plugin (LuaCATS). The file only
// holds annotations: nothing requires it.
func writeLua(c *contract) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "---@meta\n-- %s\n", header)

	b.WriteString("\n--- The name of a command.\n---@alias foreword.CommandName\n")
	for _, call := range c.calls {
		fmt.Fprintf(&b, "---| %q # %s\n", call.Name, call.Summary)
	}
	b.WriteString("\n--- The value of data.code in the error of a command.\n---@alias foreword.ErrorCode\n")
	for _, code := range c.codes {
		fmt.Fprintf(&b, "---| %q # %s\n", code.name, code.doc)
	}

	for _, o := range c.objects {
		b.WriteString("\n")
		if o.doc != "" {
			fmt.Fprintf(&b, "--- %s\n", o.doc)
		}
		fmt.Fprintf(&b, "---@class foreword.%s\n", o.name)
		for _, m := range o.members {
			optional := "?"
			if m.required {
				optional = ""
			}
			fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("---@field %s%s %s %s", m.name, optional, luaType(m.typ), m.doc), " "))
		}
		if o.open {
			b.WriteString("---@field [string] any Members that foreword does not know are kept.\n")
		}
	}
	return b.Bytes()
}

func luaType(t valueType) string {
	switch t.kind {
	case kindString:
		if len(t.enum) > 0 {
			return quotedUnion(t.enum, "|")
		}
		return "string"
	case kindInteger:
		return "integer"
	case kindNumber:
		return "number"
	case kindBoolean:
		return "boolean"
	case kindAny:
		return "any"
	case kindObject:
		return "table<string, any>"
	case kindList:
		inner := luaType(*t.a)
		if strings.Contains(inner, "|") {
			inner = "(" + inner + ")"
		}
		return inner + "[]"
	case kindTuple:
		return "[" + strings.Repeat(luaType(*t.a)+", ", t.length-1) + luaType(*t.a) + "]"
	case kindMap:
		return "table<string, " + luaType(*t.a) + ">"
	case kindUnion:
		return luaType(*t.a) + "|" + luaType(*t.b)
	}
	return "foreword." + t.name
}
