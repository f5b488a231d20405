package wire

import (
	"bytes"
	"encoding/json"
	"errors"
)

// outline is a body without the conversation: fields, the list of messages, more fields.
type outline struct {
	// head and tail are structs with the fields before and after the list.
	head, tail any
	// list is the name of the field that holds the messages.
	list string
	// first is the message before those of the conversation, nil for none.
	first any
}

// joiner is a message that takes a following one in where the two may not stand in a row.
type joiner interface {
	joins(next any) bool
	join(next any)
}

// errEncoded means that what was encoded before would have to be changed.
var errEncoded = errors.New("what was encoded before would change")

// render renders a request of which the beginning was rendered before.
func (r renderer) render(request Request, before *beginning) (Result, error) {
	c, err := newConversation(request, r.abilities, before)
	if err != nil {
		return Result{}, err
	}
	if r.end != nil {
		r.end(c)
	}
	var body json.RawMessage
	if r.whole != nil {
		c.step = stepMessages
		body, err = encode(r.whole(c))
	} else {
		body, err = r.body(c)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Body: body, Headers: r.headers, Downgrades: c.downgrades()}, nil
}

// list are the messages of the body that the entries make.
func (r renderer) list(c *conversation) []any {
	c.step = stepMessages
	list := make([]any, 0, len(c.entries))
	for _, e := range c.entries {
		for _, message := range r.messages(c, e) {
			if len(list) > 0 {
				if last, ok := list[len(list)-1].(joiner); ok && last.joins(message) {
					last.join(message)
					continue
				}
			}
			list = append(list, message)
		}
	}
	return list
}

// body encodes the whole body.
func (r renderer) body(c *conversation) (json.RawMessage, error) {
	c.step = stepOutline
	o := r.outline(c)
	list := r.list(c)
	if !c.before.admits(c, list) {
		return nil, errEncoded
	}
	c.step = stepSeal
	if r.seal != nil && !r.seal(c, &o, list) {
		return nil, errEncoded
	}
	head, err := encode(o.head)
	if err != nil {
		return nil, err
	}
	tail, err := encode(o.tail)
	if err != nil {
		return nil, err
	}
	var first, rest []byte
	if o.first != nil {
		if first, err = encodeList(nil, []any{o.first}); err != nil {
			return nil, err
		}
	}
	if rest, err = encodeList(nil, list); err != nil {
		return nil, err
	}
	const marks = len(`,"":[,,],`)
	body := make([]byte, 0, len(head)+len(o.list)+len(first)+len(c.before.encoded)+len(rest)+len(tail)+marks)
	if body = append(body, head[:len(head)-1]...); len(body) > 1 {
		body = append(body, ',')
	}
	body = append(append(append(body, '"'), o.list...), `":[`...)
	for _, piece := range [][]byte{first, c.before.encoded, rest} {
		if len(piece) > 0 && body[len(body)-1] != '[' {
			body = append(body, ',')
		}
		body = append(body, piece...)
	}
	if body = append(body, ']'); len(tail) > len(`{}`) {
		body = append(body, ',')
	}
	return append(body, tail[1:]...), nil
}

// encodeList appends messages in JSON to others, with commas between them.
func encodeList(to []byte, list []any) ([]byte, error) {
	out := bytes.NewBuffer(to)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, message := range list {
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		if err := encoder.Encode(message); err != nil {
			return nil, err
		}
		out.Truncate(out.Len() - 1) // the line feed
	}
	return out.Bytes(), nil
}
