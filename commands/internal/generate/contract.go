package main

import (
	"encoding/json"
	"fmt"
	"reflect"

	"foreword/commands"
	"foreword/commands/internal/generate/messages"
	"foreword/commands/internal/shape"
	"foreword/promptbuilder/history"
)

// kind is a kind of JSON value, as the writers tell them apart.
type kind int

const (
	kindString kind = iota
	kindInteger
	kindNumber
	kindBoolean
	kindAny
	kindObject // passed through as it comes
	kindList   // of a
	kindTuple  // of a, length times
	kindMap    // from strings to a
	kindStruct // named by name
	kindUnion  // either a or b
)

// valueType is the type of a JSON value.
type valueType struct {
	kind   kind
	name   string // of the struct
	enum   []string
	min    *int64
	length int
	a, b   *valueType
}

// member is one member of an object.
type member struct {
	name     string
	typ      valueType
	required bool
	doc      string
	owner    string // the struct that declares it, where that one is embedded
}

// object is a struct type of the contract.
type object struct {
	name    string
	doc     string
	members []member
	params  bool // a client sends it, so what it may hold is closed
	open    bool // it may hold members that are not listed
}

// call is one command.
type call struct {
	commands.Command
	params, result *object
}

// asked is one request of the server.
type asked struct {
	commands.Request
	params, result *object
}

// notice is one notification.
type notice struct {
	commands.Notification
	params *object
}

// contract is all that the writers need.
type contract struct {
	calls   []call
	notices []notice
	asked   []asked
	options *object
	codes   []code
	objects []*object // in the order of first use
}

// standIns are the types that encode themselves, and what describes their JSON.
var standIns = map[reflect.Type]reflect.Type{
	reflect.TypeFor[history.Message](): reflect.TypeFor[messages.Message](),
}

// renamed are types whose Go name needs its package to be understood.
var renamed = map[reflect.Type]string{
	reflect.TypeFor[history.Report]():  "HistoryReport",
	reflect.TypeFor[history.Action]():  "HistoryAction",
	reflect.TypeFor[history.Largest](): "HistoryLargest",
}

// reading turns Go types into the model; it meets every type once.
type reading struct {
	comments comments
	byName   map[string]*object
	types    map[string]reflect.Type
	order    []*object
}

// readContract builds the model from the command table and the doc comments.
func readContract(docs comments) (*contract, error) {
	r := &reading{comments: docs, byName: map[string]*object{}, types: map[string]reflect.Type{}}
	c := &contract{}
	for _, command := range commands.Table() {
		c.calls = append(c.calls, call{command, r.object(command.Params, true), r.object(command.Result, false)})
	}
	c.options = r.object(reflect.TypeFor[commands.InitializationOptions](), false) // editors put members of their own there
	for _, n := range commands.Notifications() {
		c.notices = append(c.notices, notice{n, r.object(n.Params, n.FromClient)})
	}
	for _, q := range commands.Requests() {
		c.asked = append(c.asked, asked{q, r.object(q.Params, false), r.object(q.Result, true)})
	}
	c.objects = r.order
	var err error
	c.codes, err = readCodes(docs)
	return c, err
}

// object reads a struct type and all that it leads to.
func (r *reading) object(t reflect.Type, params bool) *object {
	name := t.Name()
	if other, ok := renamed[t]; ok {
		name = other
	}
	if known, ok := r.byName[name]; ok {
		if r.types[name] != t {
			panic(fmt.Sprintf("generate: %s and %s would both be called %s", t, r.types[name], name))
		}
		if params && !known.params {
			known.params = true
			r.members(t, known, true) // what it leads to is sent by clients too
		}
		return known
	}
	o := &object{name: name, doc: r.comments.ofType(t), params: params, open: t.PkgPath() == reflect.TypeFor[messages.Message]().PkgPath()}
	r.byName[name], r.types[name] = o, t
	r.order = append(r.order, o)
	r.members(t, o, params)
	return o
}

func (r *reading) members(t reflect.Type, o *object, params bool) {
	o.members = nil
	for _, f := range shape.Fields(t) {
		typ := r.value(f.Type, params)
		inner := &typ
		if inner.kind == kindList {
			inner = inner.a
		}
		inner.enum = f.Enum
		inner.min = f.Min
		m := member{name: f.Name, typ: typ, required: f.Required, doc: r.comments.ofField(f)}
		if f.Owner != t {
			m.owner = f.Owner.Name()
		}
		o.members = append(o.members, m)
	}
}

func (r *reading) value(t reflect.Type, params bool) valueType {
	if t.Kind() == reflect.Pointer {
		return r.value(t.Elem(), params)
	}
	if other, ok := standIns[t]; ok {
		t = other
	}
	of := func(k kind, t reflect.Type) valueType {
		a := r.value(t, params)
		return valueType{kind: k, a: &a}
	}
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return valueType{kind: kindObject}
	case reflect.TypeFor[messages.Content]():
		list := of(kindList, reflect.TypeFor[messages.MessagePart]())
		return valueType{kind: kindUnion, a: &valueType{kind: kindString}, b: &list}
	case reflect.TypeFor[commands.ToolArguments]():
		return valueType{kind: kindUnion, a: &valueType{kind: kindObject}, b: &valueType{kind: kindString}}
	case reflect.TypeFor[commands.TrustedFolders]():
		folders := of(kindMap, reflect.TypeFor[bool]())
		return valueType{kind: kindUnion, a: &valueType{kind: kindBoolean}, b: &folders}
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) || t.Implements(reflect.TypeFor[json.Marshaler]()) {
		panic(fmt.Sprintf("generate: %s encodes itself; say what its JSON is in standIns or in value", t))
	}
	switch t.Kind() {
	case reflect.String:
		return valueType{kind: kindString}
	case reflect.Bool:
		return valueType{kind: kindBoolean}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return valueType{kind: kindInteger}
	case reflect.Float32, reflect.Float64:
		return valueType{kind: kindNumber}
	case reflect.Interface:
		return valueType{kind: kindAny}
	case reflect.Slice:
		return of(kindList, t.Elem())
	case reflect.Array:
		tuple := of(kindTuple, t.Elem())
		tuple.length = t.Len()
		return tuple
	case reflect.Map:
		return of(kindMap, t.Elem())
	case reflect.Struct:
		return valueType{kind: kindStruct, name: r.object(t, params).name}
	}
	panic(fmt.Sprintf("generate: %s cannot be a part of the contract", t))
}
