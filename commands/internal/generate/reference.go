package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"foreword/commands"
)

// referenceText is the prose of docs/commands.md, with places for the tables.
//
//go:embed reference.md
var referenceText string

// What the template sees of the contract.
type (
	pageObject struct {
		Name, Doc string
		members   []member
	}
	pageCall struct {
		commands.Command
		Params, Result pageObject
	}
	pageNotice struct {
		commands.Notification
		Params pageObject
	}
	pageAsked struct {
		commands.Request
		Params, Result pageObject
	}
	pageCode struct{ Name, Doc string }
)

// blankLines are more than one in a row, which the template leaves where it has nothing to say.
var blankLines = regexp.MustCompile(`\n{3,}`)

// writeReference makes docs/commands.md.
func writeReference(c *contract, shell *commandLine) ([]byte, error) {
	page := struct {
		Header  string
		Calls   []pageCall
		Shared  []pageObject
		Notices []pageNotice
		Asked   []pageAsked
		Options pageObject
		Codes   []pageCode
		Shell   *commandLine
	}{Header: header, Options: asPage(c.options), Shell: shell}

	shown := map[*object]bool{c.options: true} // at its own place
	for _, call := range c.calls {
		page.Calls = append(page.Calls, pageCall{call.Command, asPage(call.params), asPage(call.result)})
		shown[call.params], shown[call.result] = true, true
	}
	for _, n := range c.notices {
		page.Notices = append(page.Notices, pageNotice{n.Notification, asPage(n.params)})
		shown[n.params] = true
	}
	for _, q := range c.asked {
		page.Asked = append(page.Asked, pageAsked{q.Request, asPage(q.params), asPage(q.result)})
		shown[q.params], shown[q.result] = true, true
	}
	for _, o := range c.objects {
		if !shown[o] {
			page.Shared = append(page.Shared, asPage(o))
		}
	}
	for _, code := range c.codes {
		page.Codes = append(page.Codes, pageCode{code.name, code.doc})
	}

	t, err := template.New("reference.md").Funcs(template.FuncMap{
		"anchor": anchor, "table": table, "example": exampleText, "subcommand": subcommandAnchor,
	}).Parse(referenceText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		return nil, err
	}
	return append(bytes.TrimSpace(blankLines.ReplaceAll(b.Bytes(), []byte("\n\n"))), '\n'), nil
}

// paramsOf leads from the name of a parameter struct to its command.
var paramsOf = func() map[string]string {
	of := map[string]string{}
	for _, c := range commands.Table() {
		of[c.Params.Name()] = c.Name
	}
	return of
}()

func asPage(o *object) pageObject { return pageObject{o.name, o.doc, o.members} }

// anchor is the fragment that a Markdown viewer gives a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, strings.ToLower(heading))
}

// subcommandAnchor leads from a usage line to the help of the subcommand.
func subcommandAnchor(usage string) string {
	words := strings.Fields(usage)
	return anchor(strings.Join(words[:min(2, len(words))], " "))
}

// table lists the members of an object; an asterisk marks those that are
// always there. What the page says once for all is left out: the head of every
// result, and the members of parameters that another command has as well.
func table(o pageObject) string {
	var own []member
	var b strings.Builder
	said := map[string]bool{"Head": true}
	for _, m := range o.members {
		command, shared := paramsOf[m.owner]
		switch {
		case m.owner == "" || !shared && !said[m.owner]:
			own = append(own, m)
		case !said[m.owner]:
			said[m.owner] = true
			fmt.Fprintf(&b, "Everything of [`%s`](#%s), and:\n\n", command, anchor(command))
		}
	}
	if len(own) == 0 {
		return "None.\n"
	}
	b.WriteString("| field | type | meaning |\n|---|---|---|\n")
	for _, m := range own {
		mark := ""
		if m.required {
			mark = " \\*"
		}
		fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", m.name, mark, mdType(m.typ), mdCell(m.doc))
	}
	return b.String()
}

func mdType(t valueType) string {
	switch t.kind {
	case kindString:
		if len(t.enum) > 0 {
			return "`" + strings.Join(t.enum, "` \\| `") + "`"
		}
		return "string"
	case kindInteger:
		if t.min != nil {
			return fmt.Sprintf("integer, at least %d", *t.min)
		}
		return "integer"
	case kindNumber:
		return "number"
	case kindBoolean:
		return "boolean"
	case kindAny:
		return "any"
	case kindObject:
		return "object, passed through"
	case kindList:
		return "list of " + mdType(*t.a)
	case kindTuple:
		return fmt.Sprintf("list of %d: %s", t.length, mdType(*t.a))
	case kindMap:
		return "object, " + mdType(*t.a) + " by name"
	case kindUnion:
		return mdType(*t.a) + " or " + mdType(*t.b)
	}
	return fmt.Sprintf("[%s](#%s)", t.name, anchor(t.name))
}

// mdCell makes a text safe inside of a table.
func mdCell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(text)
}

// exampleText shows one use on the wire and on the command line.
func exampleText(command string) (string, error) {
	e, ok := examples[command]
	if !ok {
		return "", fmt.Errorf("generate: examples.go has no example of %s", command)
	}
	raw, err := plainJSON(orderedObject{{"command", command}, {"arguments", []json.RawMessage{json.RawMessage(e.params)}}})
	if err != nil {
		return "", fmt.Errorf("generate: the example of %s: %w", command, err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return "", err
	}
	text := "Example:\n\n```json\n" + b.String() + "\n```\n"
	if e.cli != "" {
		text += "\n```sh\n" + e.cli + "\n```\n"
	}
	return text, nil
}
