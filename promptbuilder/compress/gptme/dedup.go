package gptme

import (
	"compress/zlib"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isSpace says what Python takes for white space: four control characters more than Go.
func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

func normalised(text string) string { return strings.Join(strings.FieldsFunc(text, isSpace), " ") }

// Hash is the same for texts of the same words.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(normalised(text)))
	return hex.EncodeToString(sum[:])[:32]
}

// InContext says whether the words of a text stand in one of the messages, one after the other.
func InContext(text string, messages []string) bool {
	words := normalised(text)
	if words == "" {
		return false
	}
	for _, message := range messages {
		if strings.Contains(normalised(message), words) {
			return true
		}
	}
	return false
}

// Index knows the messages and their longer paragraphs by their hashes.
type Index map[string]bool

// NewIndex reads messages.
func NewIndex(messages []string) Index {
	index := Index{}
	for _, message := range messages {
		index[Hash(message)] = true
		for _, paragraph := range longParagraphs(message) {
			index[Hash(paragraph)] = true
		}
	}
	return index
}

// Present says whether a text or any longer paragraph of it is known.
func (x Index) Present(text string) bool {
	if strings.TrimFunc(text, isSpace) == "" {
		return false
	}
	if x[Hash(text)] {
		return true
	}
	for _, paragraph := range longParagraphs(text) {
		if x[Hash(paragraph)] {
			return true
		}
	}
	return false
}

func longParagraphs(text string) []string {
	var all []string
	var current []string
	add := func() {
		if paragraph := strings.TrimFunc(strings.Join(current, "\n"), isSpace); utf8.RuneCountInString(paragraph) >= 100 {
			all = append(all, paragraph)
		}
		current = nil
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.TrimFunc(line, isSpace) == "" {
			add()
			continue
		}
		current = append(current, line)
	}
	add()
	return all
}

// StripReasoning deletes what stands between think and thinking tags, and says how many characters went.
func StripReasoning(text string) string {
	for _, tag := range []string{"think", "thinking"} {
		open, shut := "<"+tag+">", "</"+tag+">"
		var out strings.Builder
		for {
			from := strings.Index(text, open)
			if from < 0 {
				break
			}
			to := strings.Index(text[from+len(open):], shut)
			if to < 0 {
				break
			}
			out.WriteString(text[:from])
			text = text[from+len(open)+to+len(shut):]
		}
		out.WriteString(text)
		text = out.String()
	}
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return strings.TrimFunc(text, isSpace)
}

// Size is the size of a text compressed by zlib at level 6, in bytes.
func Size(text string) int {
	var written counting
	w, err := zlib.NewWriterLevel(&written, 6)
	if err != nil { // only a wrong level is refused
		panic(err)
	}
	_, _ = w.Write([]byte(text)) // a counter takes everything
	_ = w.Close()
	return int(written)
}

type counting int

func (c *counting) Write(p []byte) (int, error) {
	*c += counting(len(p))
	return len(p), nil
}

// CompressionRatio is the share of compressed bytes in plain ones, 0 for an empty text.
func CompressionRatio(text string) float64 {
	if text == "" {
		return 0
	}
	return float64(Size(text)) / float64(len(text))
}

// Novelty is how much a message adds to those before it.
type Novelty struct {
	// Index of the message.
	Index int
	// Ratio of what it adds, compressed, to its bytes.
	Ratio float64
}

// Incremental compresses the log once more for every message, as gptme does: the time is quadratic. Messages of fewer
// than 50 characters are not reported.
func Incremental(messages []string) []Novelty {
	var all []Novelty
	before, size := "", 0
	for i, message := range messages {
		joined := message
		if i > 0 {
			joined = before + "\n\n" + message
		}
		now := Size(joined)
		if utf8.RuneCountInString(message) >= 50 {
			added := now - size
			if i == 0 {
				added = Size(message)
			}
			all = append(all, Novelty{i, float64(added) / float64(len(message))})
		}
		before, size = joined, now
	}
	return all
}
