package history

import (
	"reflect"
	"testing"
)

// Whatever of a message is changed, it is not the same any more: a field that is added to one of these types fails
// here until Same looks at it.
func TestSameSeesEveryField(t *testing.T) {
	ttl := 3
	message := func() Message {
		ttl := ttl
		return Message{
			ID: "i", Role: RoleUser, Files: []string{"f"}, EphemeralTTL: &ttl, ToolCalls: []ToolCall{{ID: "c"}}, source: &source{raw: []byte("{}")},
			Content: Content{Parts: []Part{{Type: PartToolResult, Output: Content{Parts: []Part{{Type: PartText}}}, Media: &Media{URL: "u"}, raw: []byte("{}")}}},
		}
	}
	one := message()
	if two := message(); !one.Same(&two) {
		t.Fatal("two messages alike in all are not the same")
	}
	for i := range reflect.TypeFor[Message]().NumField() {
		other := message()
		switch name := reflect.TypeFor[Message]().Field(i).Name; name {
		case "Files":
			other.Files[0] = "g"
		case "EphemeralTTL":
			*other.EphemeralTTL = 4
		case "ToolCalls":
			other.ToolCalls[0].Arguments = "{}"
		case "Content":
			other.Content = Text("")
		case "source":
			other.source.shape = shapeOpenAI
		default:
			change(t, reflect.ValueOf(&other).Elem().Field(i), name)
		}
		if one.Same(&other) || other.Same(&one) {
			t.Errorf("Message.%s is not looked at", reflect.TypeFor[Message]().Field(i).Name)
		}
	}
	for i := range reflect.TypeFor[Part]().NumField() {
		other := message()
		part := &other.Content.Parts[0]
		switch name := reflect.TypeFor[Part]().Field(i).Name; name {
		case "Output":
			part.Output.Parts[0].Text = "x"
		case "Media":
			part.Media.Name = "x"
		case "CacheControl":
			part.CacheControl = []byte("{}")
		case "raw":
			part.raw = nil
		default:
			change(t, reflect.ValueOf(part).Elem().Field(i), name)
		}
		if one.Same(&other) || other.Same(&one) {
			t.Errorf("Part.%s is not looked at", reflect.TypeFor[Part]().Field(i).Name)
		}
	}
}

func change(t *testing.T, field reflect.Value, name string) {
	t.Helper()
	switch field.Kind() {
	case reflect.String:
		field.SetString(field.String() + "x")
	case reflect.Bool:
		field.SetBool(!field.Bool())
	default:
		t.Fatalf("the test does not know how to change %s", name)
	}
}

func TestKeyIsItsText(t *testing.T) {
	one, other := (&Message{Role: RoleUser}).Key(), (&Message{Role: RoleUser, ID: "i"}).Key()
	if !one.Is(one.String()) || one.Is(other.String()) || one.Is("") || one.Is(one.String()[1:]) {
		t.Error("a key is not its own text, or that of another")
	}
}
