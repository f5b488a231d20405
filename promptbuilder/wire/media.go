package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"foreword/promptbuilder/history"
)

// isImage says whether a part is an image that can be sent: it has data, or a URL that a provider can fetch.
func isImage(part history.Part) bool {
	if part.Media == nil || part.Media.Data == "" && !webURL(part.Media.URL) {
		return false
	}
	return part.Type == history.PartImage || strings.HasPrefix(part.Media.MIME, "image/")
}

// imageTypes are the images that providers read. Anthropic and OpenAI name the same four; a request with another type
// is refused as a whole. Checked against https://ai.google.dev/gemini-api/docs/image-understanding and the types of
// @anthropic-ai/sdk 1.14, 2026-11-30.
var imageTypes = map[string][]string{
	Gemini: {"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"},
	"":     {"image/png", "image/jpeg", "image/gif", "image/webp"},
}

// takesImage says whether a part is an image that this provider reads. Of an image behind a URL nobody may know the type.
func (c *conversation) takesImage(part history.Part) bool {
	if !isImage(part) {
		return false
	}
	types, ok := imageTypes[c.Wire]
	if !ok {
		types = imageTypes[""]
	}
	return part.Media.Data == "" && part.Media.MIME == "" || slices.Contains(types, mimeOf(part))
}

// isDocument says whether a part is another file that can be sent as it is.
func isDocument(part history.Part) bool {
	return part.Type == history.PartFile && part.Text == "" && !isImage(part) &&
		part.Media != nil && (part.Media.Data != "" || webURL(part.Media.URL))
}

func webURL(url string) bool {
	return strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
}

// mimeOf is the MIME type of a part; images of which nobody said it are PNG, as screenshots are.
func mimeOf(part history.Part) string {
	switch {
	case part.Media.MIME == "image/jpg": // a common slip, which no provider takes
		return "image/jpeg"
	case part.Media.MIME != "":
		return part.Media.MIME
	case part.Type == history.PartImage:
		return "image/png"
	}
	return "application/octet-stream"
}

// mediaURL is the URL of an image or file: a data: URL where the data is inline.
func mediaURL(part history.Part) string {
	if part.Media.Data == "" {
		return part.Media.URL
	}
	return "data:" + mimeOf(part) + ";base64," + part.Media.Data
}

// textOf is what is said of a part in a place that takes text only: its text, the text of a file in a fence,
// or a line that names what is not shown. Nothing is said of thinking, calls, results and opaque blocks.
func (c *conversation) textOf(part history.Part) string {
	switch part.Type {
	case history.PartText:
		return part.Text
	case history.PartImage, history.PartFile:
		if part.Text != "" {
			return fenced(mediaName(part), part.Text)
		}
		c.note("%s: an image or file that cannot be sent there is only named (%s)", c.Wire, mediaName(part))
		return "[" + part.Type + " not shown: " + mediaName(part) + "]"
	}
	return ""
}

func mediaName(part history.Part) string {
	switch {
	case part.Media == nil:
		return part.Type
	case part.Media.Name != "":
		return part.Media.Name
	case part.Media.URL != "":
		return part.Media.URL
	case part.Media.MIME != "":
		return part.Media.MIME
	}
	return part.Type
}

// fenced is the text of a file in a fence that is longer than any run of backticks in it.
func fenced(name, text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", max(3, longest+1))
	end := "\n"
	if strings.HasSuffix(text, "\n") {
		end = ""
	}
	return fence + name + "\n" + text + end + fence
}

// plainText is all that a list of parts says in a place that takes text only.
func (c *conversation) plainText(parts []history.Part) string {
	var texts []string
	for _, part := range parts {
		if text := c.textOf(part); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// outputText is the output of a tool result as text.
func (c *conversation) outputText(result history.Part) string {
	if result.Output.Parts == nil {
		return result.Output.Text
	}
	return c.plainText(result.Output.Parts)
}

// arguments of a call as a JSON object. What the model wrote as broken JSON is sent in an object of one field,
// so that it sees what it wrote.
func (c *conversation) arguments(part history.Part) json.RawMessage {
	text := strings.TrimSpace(part.Arguments)
	if text == "" {
		return json.RawMessage("{}")
	}
	if text[0] == '{' && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	c.note("the arguments of a call of %s are not a JSON object: they are sent as a string in one", part.Name)
	raw, err := encode(struct {
		Raw string `json:"raw"`
	}{part.Arguments})
	if err != nil { // a string always encodes
		panic(err)
	}
	return raw
}

// argumentText of a call is the same as a string. What the model wrote is kept byte for byte where it is an
// object; broken JSON is not sent, because servers other than OpenAI's parse it and fail.
func (c *conversation) argumentText(part history.Part) string { return string(c.arguments(part)) }
