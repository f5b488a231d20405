package history

import (
	"fmt"
	"slices"
	"strings"
)

// Caps of attached text in bytes. They are gptme's (gptme/util/context.py, June 2026), which counts characters: what
// is longer than that is not read by anybody, and a prompt full of one file has no room for the answer.
const (
	DefaultAttachmentBytes  = 100_000
	DefaultAttachmentsBytes = 200_000
)

// Attachments says how attached files are read and embedded.
type Attachments struct {
	// Read reads one of the files of a message. It decides what may be read at all.
	Read func(file string, of Message) Attachment
	// NoteModified puts a note in place of a file that was changed after its message was sent and of which no copy
	// was stored; without it the text of now is embedded.
	NoteModified bool
	// PerItem and PerMessage are caps in bytes; 0 is the default.
	PerItem, PerMessage int
}

// Attachment is an attached file as it can be embedded.
type Attachment struct {
	// Name that the model is shown, usually the path from the root.
	Name string
	// Text of the file now.
	Text string
	// Modified says that the file was changed after the message was sent; Stored is the text of then, nil when no
	// copy was kept.
	Modified bool
	Stored   *string
	// Told says that the model has this text already, for example in an open buffer of the system text.
	Told bool
	// Refused says that the file must not be sent or cannot be read; it stays a name.
	Refused bool
}

// enrich puts the text of attached files at the end of their messages, each text once: later copies become a note.
// A message that is going to go does not count as the one that has it.
func (p *plan) enrich(going func(i int) bool) error {
	attach := p.options.Attach
	if attach == nil || attach.Read == nil {
		return nil
	}
	for i, message := range p.originals {
		if len(message.Files) == 0 || message.IsSystem() {
			continue
		}
		enriched, actions, err := p.embed(i, message, going != nil && going(i))
		if err != nil {
			return err
		}
		if len(actions) == 0 {
			continue
		}
		if p.embedded == nil {
			p.embedded = map[int][]Action{}
			p.messages = slices.Clone(p.originals)
		}
		p.messages[i], p.embedded[i] = enriched, actions
		p.costs.total[i], p.costs.blocks[i] = p.options.costOf(&enriched)
	}
	return nil
}

func (p *plan) embed(i int, message Message, going bool) (Message, []Action, error) {
	attach := p.options.Attach
	room := orDefault(attach.PerMessage, DefaultAttachmentsBytes)
	var blocks []string
	var left []string
	var actions []Action
	for _, file := range message.Files {
		read := attach.Read(file, message)
		if read.Refused {
			left = append(left, file)
			actions = append(actions, Action{Index: i, Kind: KindKept, Reason: ReasonRefused})
			continue
		}
		text, reason := read.choose(attach.NoteModified)
		name := shownName(read.Name, file)
		key := carried{name, keyOf([]byte(text))}
		switch carrier, known := p.carriers[key]; {
		case reason == ReasonModified && text == "":
			text = fmt.Sprintf("[%s was changed after this message was sent; its text of then was not kept]", name)
		case read.Told || known && carrier != i:
			reason = ReasonAttachedBefore
			text = fmt.Sprintf("[%s is attached here too; its text stands earlier in this conversation]", name)
			if known {
				p.referring[i] = append(p.referring[i], carrier)
			}
		default:
			if !going {
				p.carriers[key] = i
			}
			size := min(orDefault(attach.PerItem, DefaultAttachmentBytes), room)
			if cut, ok := headTail(text, size); ok {
				text = cut.apply(text)
			}
			room = max(0, room-len(text))
			text = fenced(name, text)
		}
		blocks = append(blocks, text)
		actions = append(actions, Action{Index: i, Kind: KindEmbedded, Reason: reason, After: countText(text, p.options)})
	}
	if len(blocks) == 0 {
		return message, nil, nil // names that stay names are no change
	}
	enriched, err := message.AppendText(strings.Join(blocks, "\n\n"))
	if err != nil {
		return message, nil, err
	}
	if enriched, err = enriched.withFiles(left); err != nil {
		return message, nil, err
	}
	return enriched, actions, nil
}

// carried is a text of a file that some message has. The file is the name that is shown: a message may name it by its
// path, another by its URI.
type carried struct {
	file string
	text Key
}

// choose is the text to embed and why this one; "" with ReasonModified asks for a note.
func (a Attachment) choose(note bool) (text, reason string) {
	switch {
	case !a.Modified:
		return a.Text, ReasonAttached
	case a.Stored != nil:
		return *a.Stored, ReasonAttached
	case note:
		return "", ReasonModified
	}
	return a.Text, ReasonModified
}

// fenced is a text in a code block whose fence is longer than any run of backticks in it.
func fenced(name, text string) string {
	longest, run := 3, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + name + "\n" + text + fence
}

// shownName is a name that cannot end the line that it stands in.
func shownName(name, file string) string {
	if name == "" {
		name = file
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '`' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
			return '?'
		}
		return r
	}, name)
}

// withFiles is the message with other attached files; the other fields keep their bytes.
func (m Message) withFiles(files []string) (Message, error) {
	m.Files = files
	if m.source == nil {
		return m, nil
	}
	raw := withoutField(m.source.raw, "files")
	if len(files) > 0 {
		value, err := encodeJSON(files)
		if err != nil {
			return m, err
		}
		raw = replaceField(m.source.raw, "files", value)
	}
	m.source = &source{raw: raw, shape: m.source.shape}
	return m, nil
}

// dangling are the messages that were to carry a text that a later message refers to, and go.
func (p *plan) dangling() []int {
	var gone []int
	for i, carriers := range p.referring {
		for _, carrier := range carriers {
			if p.dropped[i] == "" && p.dropped[carrier] != "" {
				gone = append(gone, carrier)
			}
		}
	}
	return gone
}

func orDefault(value, usual int) int {
	if value <= 0 {
		return usual
	}
	return value
}
