package main

import (
	"bytes"
	"encoding/json"
)

// orderedObject is a JSON object that is written in the order of its members.
type orderedObject []pair

type pair struct {
	name  string
	value any
}

func (o orderedObject) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := plainJSON(p.name)
		if err != nil {
			return nil, err
		}
		value, err := plainJSON(p.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// plainJSON is json.Marshal that leaves <, > and & as they are.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// writeSchema makes one JSON Schema: an object with a member for every command
// notification and request, whose members params and result are the two sides.
// Parameters are closed, as Decode is; results may grow.
func writeSchema(c *contract) ([]byte, error) {
	var entries orderedObject
	for _, call := range c.calls {
		entries = append(entries, pair{call.Name, orderedObject{
			{"description", call.Summary},
			{"type", "object"},
			{"properties", orderedObject{{"params", ref(call.params)}, {"result", ref(call.result)}}},
		}})
	}
	for _, n := range c.notices {
		entries = append(entries, pair{n.Name, orderedObject{
			{"description", n.Summary},
			{"type", "object"},
			{"properties", orderedObject{{"params", ref(n.params)}}},
		}})
	}
	for _, q := range c.asked {
		entries = append(entries, pair{q.Name, orderedObject{
			{"description", q.Summary},
			{"type", "object"},
			{"properties", orderedObject{{"params", ref(q.params)}, {"result", ref(q.result)}}},
		}})
	}
	entries = append(entries, pair{"initializationOptions", ref(c.options)})

	var definitions orderedObject
	for _, o := range c.objects {
		definitions = append(definitions, pair{o.name, objectSchema(o)})
	}
	raw, err := plainJSON(orderedObject{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$comment", header},
		{"title", "What a client can ask foreword for"},
		{"type", "object"},
		{"properties", entries},
		{"additionalProperties", false},
		{"$defs", definitions},
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func ref(o *object) orderedObject { return orderedObject{{"$ref", "#/$defs/" + o.name}} }

func objectSchema(o *object) orderedObject {
	properties := orderedObject{}
	required := []string{}
	for _, m := range o.members {
		s := typeSchema(m.typ)
		if m.doc != "" {
			s = append(orderedObject{{"description", m.doc}}, s...)
		}
		properties = append(properties, pair{m.name, s})
		if m.required {
			required = append(required, m.name)
		}
	}
	s := orderedObject{{"type", "object"}, {"properties", properties}}
	if o.doc != "" {
		s = append(orderedObject{{"description", o.doc}}, s...)
	}
	if len(required) > 0 {
		s = append(s, pair{"required", required})
	}
	if o.params && !o.open {
		s = append(s, pair{"additionalProperties", false})
	}
	return s
}

func typeSchema(t valueType) orderedObject {
	switch t.kind {
	case kindString:
		s := orderedObject{{"type", "string"}}
		if len(t.enum) > 0 {
			s = append(s, pair{"enum", t.enum})
		}
		return s
	case kindInteger:
		s := orderedObject{{"type", "integer"}}
		if t.min != nil {
			s = append(s, pair{"minimum", *t.min})
		}
		return s
	case kindNumber:
		return orderedObject{{"type", "number"}}
	case kindBoolean:
		return orderedObject{{"type", "boolean"}}
	case kindAny:
		return orderedObject{}
	case kindObject:
		return orderedObject{{"type", "object"}}
	case kindList:
		return orderedObject{{"type", "array"}, {"items", typeSchema(*t.a)}}
	case kindTuple:
		return orderedObject{{"type", "array"}, {"items", typeSchema(*t.a)}, {"minItems", t.length}, {"maxItems", t.length}}
	case kindMap:
		return orderedObject{{"type", "object"}, {"additionalProperties", typeSchema(*t.a)}}
	case kindUnion:
		return orderedObject{{"anyOf", []orderedObject{typeSchema(*t.a), typeSchema(*t.b)}}}
	}
	return orderedObject{{"$ref", "#/$defs/" + t.name}}
}
