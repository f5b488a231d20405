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

// partFields are the fields of parts in all shapes. What is not named here stays in the bytes of the part.
type partFields struct {
	Type         json.RawMessage `json:"type"`
	Text         json.RawMessage `json:"text"`
	ID           json.RawMessage `json:"id"`
	Name         json.RawMessage `json:"name"`
	Arguments    json.RawMessage `json:"arguments"`
	ToolCallID   json.RawMessage `json:"toolCallID"`
	Content      json.RawMessage `json:"content"`
	IsError      json.RawMessage `json:"isError"`
	MIME         json.RawMessage `json:"mimeType"`
	Data         json.RawMessage `json:"data"`
	URL          json.RawMessage `json:"url"`
	URI          json.RawMessage `json:"uri"`
	Signature    json.RawMessage `json:"signature"`
	Model        json.RawMessage `json:"model"`
	CacheControl json.RawMessage `json:"cache_control"`
	// OpenAI
	ImageURL   json.RawMessage `json:"image_url"`
	File       json.RawMessage `json:"file"`
	InputAudio json.RawMessage `json:"input_audio"`
	Refusal    json.RawMessage `json:"refusal"`
	// Anthropic
	Source         json.RawMessage `json:"source"`
	Title          json.RawMessage `json:"title"`
	Input          json.RawMessage `json:"input"`
	ToolUseID      json.RawMessage `json:"tool_use_id"`
	AnthropicError json.RawMessage `json:"is_error"`
	Thinking       json.RawMessage `json:"thinking"`
}

// parseParts reads a list of parts; inResult says that it is the output of a tool.
func parseParts(raw json.RawMessage, path string, inResult bool) ([]Part, shape, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, shapeOwn, problem(path, "not valid JSON: %v", err)
	}
	parts := make([]Part, len(items))
	whole := shapeOwn
	for i, item := range items {
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
	var f partFields
	if err := json.Unmarshal(raw, &f); err != nil {
		return shapeOwn, problem(path, "not valid JSON: %v", err)
	}
	r := reader{}
	kind := r.text(f.Type, path+".type")
	if r.err != nil {
		return shapeOwn, r.err
	}
	*part = Part{Type: kind, raw: raw, CacheControl: f.CacheControl}
	if !present(f.CacheControl) {
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
		r.fail(path+".type", "missing; allowed are %s", allowed)
	case PartText:
		part.Text = r.text(f.Text, path+".text")
		if !present(f.Text) {
			r.fail(path+".text", "missing")
		}
	case "refusal":
		part.Type, shape = PartText, max(shape, shapeOpenAI)
		part.Text = r.text(f.Refusal, path+".refusal")
	case PartImage, PartFile, "image_url", "input_audio", "document":
		shape = max(shape, r.media(f, kind, path, part))
	case PartToolUse, "tool_use":
		part.Type = PartToolUse
		part.ID, part.Name = r.text(f.ID, path+".id"), r.text(f.Name, path+".name")
		part.Signature = r.text(f.Signature, path+".signature")
		part.Arguments = r.arguments(f.Arguments, path+".arguments")
		if kind == "tool_use" {
			shape = shapeAnthropic
			part.Arguments = r.arguments(f.Input, path+".input")
		}
		if part.Name == "" {
			r.fail(path+".name", "missing; the name of the tool is needed")
		}
	case PartToolResult, "tool_result":
		shape = max(shape, r.result(f, kind, path, part))
	case PartThinking, "redacted_thinking":
		shape = max(shape, r.thinking(f, kind, path, part))
	default:
		if !opaqueType(kind) {
			r.fail(path+".type", "%q is not a part type; allowed are %s", kind, allowed)
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

func (r *reader) result(f partFields, kind, path string, part *Part) shape {
	part.Type = PartToolResult
	shape := shapeOwn
	part.ID = r.text(f.ToolCallID, path+".toolCallID")
	part.IsError = r.flag(f.IsError, path+".isError")
	part.Name = r.text(f.Name, path+".name")
	if kind == "tool_result" {
		shape = shapeAnthropic
		part.ID = r.text(f.ToolUseID, path+".tool_use_id")
		part.IsError = r.flag(f.AnthropicError, path+".is_error")
	}
	switch kindOf(f.Content) {
	case "string":
		part.Output.Text = r.text(f.Content, path+".content")
	case "list":
		parts, inner, err := parseParts(f.Content, path+".content", true)
		if err != nil && r.err == nil {
			r.err = err
		}
		part.Output.Parts, shape = parts, max(shape, inner)
	case "null", "nothing":
		// A tool may have nothing to say.
	default:
		r.fail(path+".content", "a string or a list of parts is needed, not %s", withArticle(kindOf(f.Content)))
	}
	return shape
}

// thinking keeps the block opaque: only what a count or another shape needs is read.
func (r *reader) thinking(f partFields, kind, path string, part *Part) shape {
	part.Type = PartThinking
	part.Text = r.text(f.Text, path+".text")
	part.ID = r.text(f.ID, path+".id")
	part.Signature = r.text(f.Signature, path+".signature")
	part.Model = r.text(f.Model, path+".model")
	if data := r.text(f.Data, path+".data"); data != "" {
		part.Media = &Media{Data: data}
	}
	if present(f.Thinking) {
		part.Text = r.text(f.Thinking, path+".thinking")
		return shapeAnthropic
	}
	if kind == "redacted_thinking" {
		return shapeAnthropic
	}
	return shapeOwn
}

// media reads images and files in all shapes.
func (r *reader) media(f partFields, kind, path string, part *Part) shape {
	var inner struct {
		URL       json.RawMessage `json:"url"`
		Type      json.RawMessage `json:"type"`
		MediaType json.RawMessage `json:"media_type"`
		Data      json.RawMessage `json:"data"`
		FileID    json.RawMessage `json:"file_id"`
		FileData  json.RawMessage `json:"file_data"`
		FileName  json.RawMessage `json:"filename"`
		Format    json.RawMessage `json:"format"`
	}
	open := func(raw json.RawMessage, path string) {
		if kindOf(raw) != "object" {
			r.fail(path, "an object is needed, not %s", withArticle(kindOf(raw)))
		} else if err := json.Unmarshal(raw, &inner); err != nil {
			r.fail(path, "not valid JSON: %v", err)
		}
	}
	media := &Media{}
	part.Media = media
	switch {
	case kind == "image_url":
		part.Type, path = PartImage, path+".image_url"
		if kindOf(f.ImageURL) == "string" {
			inner.URL = f.ImageURL
		} else {
			open(f.ImageURL, path)
		}
		media.setURL(r.text(inner.URL, path+".url"))
		return shapeOpenAI
	case kind == "input_audio":
		part.Type, path = PartFile, path+".input_audio"
		open(f.InputAudio, path)
		media.MIME = "audio/" + r.text(inner.Format, path+".format")
		media.Data = r.text(inner.Data, path+".data")
		return shapeOpenAI
	case kind == PartFile && present(f.File):
		path += ".file"
		open(f.File, path)
		media.setURL(r.text(inner.FileData, path+".file_data"))
		media.Name = r.text(inner.FileName, path+".filename")
		if id := r.text(inner.FileID, path+".file_id"); id != "" {
			media.URL = id
		}
		return shapeOpenAI
	case kind == "document" || present(f.Source):
		if kind == "document" {
			part.Type = PartFile
		}
		media.Name = r.text(f.Title, path+".title")
		path += ".source"
		open(f.Source, path)
		media.MIME = r.text(inner.MediaType, path+".media_type")
		media.Data = r.text(inner.Data, path+".data")
		media.URL = r.text(inner.URL, path+".url") + r.text(inner.FileID, path+".file_id")
		if r.text(inner.Type, path+".type") == "text" {
			part.Text, media.Data = media.Data, ""
		}
		return shapeAnthropic
	}
	part.Text = r.text(f.Text, path+".text")
	media.MIME = r.text(f.MIME, path+".mimeType")
	media.Name = r.text(f.Name, path+".name")
	media.setURL(r.text(f.URL, path+".url") + r.text(f.URI, path+".uri"))
	if data := r.text(f.Data, path+".data"); data != "" {
		media.Data = data
	}
	if part.Text == "" && media.Data == "" && media.URL == "" && !present(f.Text) {
		r.fail(path, "empty; data (base64), url, uri or text is needed")
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
