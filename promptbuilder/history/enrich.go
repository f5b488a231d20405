package history

// Attachments says how attached files are read and embedded.
type Attachments struct {
	// Read reads one of the files of a message. It decides what may be read at all.
	Read func(file string, of Message) Attachment
}

// Attachment is an attached file as it can be embedded.
type Attachment struct{ Text string }

func (p *plan) enrich() error { return nil }

// Weigh is how StrategyAdaptive weighs texts.
type Weigh struct{}

func (p *plan) weigher() func(c *candidate) float64 { return nil }
