package history

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The part types that are read, in the words of an error.
const (
	allowedParts  = "text, image, file, tool-use, tool-result, thinking, or OpenAI's or Anthropic's own types"
	allowedOutput = "text, image, file, or OpenAI's or Anthropic's own types for them"
)

// partFields are the fields of a part by name. A part has few, so they are kept in a list and not in a map; what
// nobody asks for stays in the bytes of the part.
type partFields []field

// get is the value of a field, nil when it is not there. Of a field that is given twice the last one counts.
func (f partFields) get(name string) json.RawMessage {
	for i := len(f) - 1; i >= 0; i-- {
		if string(f[i].key) == name {
			return f[i].value
		}
	}
	return nil
}

func fieldsOf(object json.RawMessage) partFields {
	all := make(partFields, 0, 6)
	fields(object, func(field field) { all = append(all, field) })
	return all
}

// parseParts reads a list of parts; inResult says that it is the output of a tool.
func parseParts(raw json.RawMessage, path string, inResult bool) ([]Part, shape, error) {
	list := items(raw)
	parts := make([]Part, len(list))
	whole := shapeOwn
	for i, item := range list {
		shape, err := parsePart(item, path+"["+strconv.Itoa(i)+"]", inResult, &parts[i])
		if err != nil {
			return nil, shapeOwn, err
		}
		whole = max(whole, shape)
	}
	return parts, whole, nil
}

func parsePart(raw json.RawMessage, path string, inResult bool, part *Part) (shape, error) {
	if kindOf(raw) != "object" {
		return shapeOwn, problem(path, "a part is an object with a type, not %s", withArticle(kindOf(raw)))
	}
	f := fieldsOf(raw)
	r := reader{path: path}
	kind := r.text(f.get("type"), ".type")
	if r.err != nil {
		return shapeOwn, r.err
	}
	*part = Part{Type: kind, raw: raw, CacheControl: f.get("cache_control")}
	if !present(f.get("cache_control")) {
		part.CacheControl = nil
	}
	shape := shapeOwn
	allowed := allowedParts
	if inResult {
		allowed = allowedOutput
		switch kind {
		case PartToolUse, PartToolResult, PartThinking, "tool_use", "tool_result", "redacted_thinking":
			return shape, problem(path+".type", "%q cannot stand in a tool result; allowed are %s", kind, allowed)
		}
	}
	switch kind {
	case "":
		r.fail(".type", "missing; allowed are %s", allowed)
	case PartText:
		part.Text = r.text(f.get("text"), ".text")
		if !present(f.get("text")) {
			r.fail(".text", "missing")
		}
	case "refusal":
		part.Type, shape = PartText, max(shape, shapeOpenAI)
		part.Text = r.text(f.get("refusal"), ".refusal")
	case PartImage, PartFile, "image_url", "input_audio", "document":
		shape = max(shape, r.media(f, kind, part))
	case PartToolUse, "tool_use":
		part.Type = PartToolUse
		part.ID, part.Name = r.text(f.get("id"), ".id"), r.text(f.get("name"), ".name")
		part.Signature = r.text(f.get("signature"), ".signature")
		part.Arguments = r.arguments(f.get("arguments"), ".arguments")
		if kind == "tool_use" {
			shape = shapeAnthropic
			part.Arguments = r.arguments(f.get("input"), ".input")
		}
		if part.Name == "" {
			r.fail(".name", "missing; the name of the tool is needed")
		}
	case PartToolResult, "tool_result":
		shape = max(shape, r.result(f, kind, part))
	case PartThinking, "redacted_thinking":
		shape = max(shape, r.thinking(f, kind, part))
	default:
		if !opaqueType(kind) {
			r.fail(".type", "%q is not a part type; allowed are %s", kind, allowed)
		}
		part.Type, shape = PartOpaque, shapeAnthropic
	}
	return shape, r.err
}

// opaqueType says whether Anthropic's server makes and reads blocks of this type by itself.
func opaqueType(kind string) bool {
	switch kind {
	case "server_tool_use", "mcp_tool_use", "mcp_tool_result", "search_result", "container_upload", "compaction":
		return true
	}
	return strings.HasSuffix(kind, "_tool_result")
}

func (r *reader) result(f partFields, kind string, part *Part) shape {
	part.Type = PartToolResult
	shape := shapeOwn
	part.ID = r.text(f.get("toolCallID"), ".toolCallID")
	part.IsError = r.flag(f.get("isError"), ".isError")
	part.Name = r.text(f.get("name"), ".name")
	if kind == "tool_result" {
		shape = shapeAnthropic
		part.ID = r.text(f.get("tool_use_id"), ".tool_use_id")
		part.IsError = r.flag(f.get("is_error"), ".is_error")
	}
	switch kindOf(f.get("content")) {
	case "string":
		part.Output.Text = r.text(f.get("content"), ".content")
	case "list":
		parts, inner, err := parseParts(f.get("content"), r.path+".content", true)
		if err != nil && r.err == nil {
			r.err = err
		}
		part.Output.Parts, shape = parts, max(shape, inner)
	case "null", "nothing":
		// A tool may have nothing to say.
	default:
		r.fail(".content", "a string or a list of parts is needed, not %s", withArticle(kindOf(f.get("content"))))
	}
	return shape
}

// thinking keeps the block opaque: only what a count or another shape needs is read.
func (r *reader) thinking(f partFields, kind string, part *Part) shape {
	part.Type = PartThinking
	part.Text = r.text(f.get("text"), ".text")
	part.ID = r.text(f.get("id"), ".id")
	part.Signature = r.text(f.get("signature"), ".signature")
	part.Model = r.text(f.get("model"), ".model")
	if data := r.text(f.get("data"), ".data"); data != "" {
		part.Media = &Media{Data: data}
	}
	if present(f.get("thinking")) {
		part.Text = r.text(f.get("thinking"), ".thinking")
		return shapeAnthropic
	}
	if kind == "redacted_thinking" {
		return shapeAnthropic
	}
	return shapeOwn
}

// media reads images and files in all shapes.
func (r *reader) media(f partFields, kind string, part *Part) shape {
	var inner partFields
	open := func(name string) {
		raw := f.get(name)
		r.path += "." + name
		if kindOf(raw) != "object" {
			r.fail("", "an object is needed, not %s", withArticle(kindOf(raw)))
			return
		}
		inner = fieldsOf(raw)
	}
	media := &Media{}
	part.Media = media
	switch {
	case kind == "image_url":
		part.Type = PartImage
		if kindOf(f.get("image_url")) == "string" {
			media.setURL(r.text(f.get("image_url"), ".image_url"))
			return shapeOpenAI
		}
		open("image_url")
		media.setURL(r.text(inner.get("url"), ".url"))
		return shapeOpenAI
	case kind == "input_audio":
		part.Type = PartFile
		open("input_audio")
		media.MIME = "audio/" + r.text(inner.get("format"), ".format")
		media.Data = r.text(inner.get("data"), ".data")
		return shapeOpenAI
	case kind == PartFile && present(f.get("file")):
		open("file")
		media.setURL(r.text(inner.get("file_data"), ".file_data"))
		media.Name = r.text(inner.get("filename"), ".filename")
		if id := r.text(inner.get("file_id"), ".file_id"); id != "" {
			media.URL = id
		}
		return shapeOpenAI
	case kind == "document" || present(f.get("source")):
		if kind == "document" {
			part.Type = PartFile
		}
		media.Name = r.text(f.get("title"), ".title")
		open("source")
		media.MIME = r.text(inner.get("media_type"), ".media_type")
		media.Data = r.text(inner.get("data"), ".data")
		media.URL = r.text(inner.get("url"), ".url") + r.text(inner.get("file_id"), ".file_id")
		if r.text(inner.get("type"), ".type") == "text" {
			part.Text, media.Data = media.Data, ""
		}
		return shapeAnthropic
	}
	part.Text = r.text(f.get("text"), ".text")
	media.MIME = r.text(f.get("mimeType"), ".mimeType")
	media.Name = r.text(f.get("name"), ".name")
	media.setURL(r.text(f.get("url"), ".url") + r.text(f.get("uri"), ".uri"))
	if data := r.text(f.get("data"), ".data"); data != "" {
		media.Data = data
	}
	if part.Text == "" && media.Data == "" && media.URL == "" && !present(f.get("text")) {
		r.fail("", "empty; data (base64), url, uri or text is needed")
	}
	return shapeOwn
}

// setURL takes a URL apart when it is a data: URL in base64.
func (m *Media) setURL(url string) {
	rest, ok := strings.CutPrefix(url, "data:")
	if !ok {
		m.URL = url
		return
	}
	head, data, ok := strings.Cut(rest, ",")
	mime, encoded := strings.CutSuffix(head, ";base64")
	if !ok || !encoded {
		m.URL = url
		return
	}
	if mime != "" {
		m.MIME = mime
	}
	m.Data = data
}
