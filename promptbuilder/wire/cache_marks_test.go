package wire

import (
	"slices"
	"strings"
	"testing"

	"foreword/promptbuilder/history"
)

// The caller's marks in an order that is refused are all made to last an hour, with a memory as without.
func TestCacheMarksOfTheCallerInOrder(t *testing.T) {
	conversation := messages(t, `[
		{"role":"user","content":[{"type":"text","text":"one","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":"a"},
		{"role":"user","content":"two"},{"role":"assistant","content":"b"},{"role":"user","content":"three"},{"role":"assistant","content":"c"},
		{"role":"user","content":[{"type":"text","text":"four","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]`)
	request := Request{Wire: Anthropic, Model: "m", MaxOutput: 9, Messages: conversation[:5], Memory: NewMemory(1 << 20)}
	render(t, request)
	request.Messages = conversation
	body, said := render(t, request)
	for _, text := range []string{"one", "three", "four"} {
		if !strings.Contains(body, `{"type":"text","text":"`+text+`","cache_control":{"type":"ephemeral","ttl":"1h"}}`) {
			t.Errorf("%q is not marked for an hour: %s", text, body)
		}
	}
	if !slices.Contains(said, "anthropic takes no cache mark of an hour after one of five minutes: the caller's earlier marks last an hour, too") {
		t.Errorf("said %q", said)
	}
}

// A block that is sent as it came has our mark where it is the last of the stable messages.
func TestCacheMarkOnABlockThatIsSentAsItCame(t *testing.T) {
	body, _ := render(t, Request{Wire: Anthropic, MaxOutput: 9, Messages: messages(t, `[{"role":"user","content":[
		{"type":"text","text":"read"},
		{"type":"document","citations":{"enabled":true},"source":{"type":"base64","media_type":"application/pdf","data":"JVBERg=="}}]}]`)})
	want := `{"cache_control":{"type":"ephemeral"},"citations":{"enabled":true},"source":{"type":"base64","media_type":"application/pdf","data":"JVBERg=="},"type":"document"}`
	if !strings.Contains(body, want) {
		t.Errorf("got  %s\nwant %s", body, want)
	}
}

// One model, asked for with other abilities: the memory of one is not the other's.
func TestMemoryTellsStrictTemplatesApart(t *testing.T) {
	memory := NewMemory(1 << 20)
	var all []history.Message
	for range 6 {
		all = append(all, messages(t, `[{"role":"user","content":"q"},{"role":"system","content":"s"},{"role":"assistant","content":"a"}]`)...)
		for _, oneSystem := range []bool{false, true} {
			same(t, Request{Wire: OpenAIChat, Model: "m", OneSystem: oneSystem, Messages: all}, memory)
		}
	}
}
