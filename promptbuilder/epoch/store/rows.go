package store

// Session is a conversation of one panel. Its times are in milliseconds since
// 1970.
type Session struct {
	// ID is the client's name of the session.
	ID string
	// Root is the folder that the session works in.
	Root  string
	Title string
	// Created and Updated are set by [Store.Write] where the change leaves them 0.
	Created, Updated int64
	// Revision counts the changes; 1 is the first.
	Revision int64
	// Turns is the highest number of a turn that was ever used.
	Turns int
}

// Epoch is a stretch of turns over which the system text stays the same.
type Epoch struct {
	Session string
	Number  int
	Agent   string
	Root    string
	// Reason says why it began.
	Reason string
	// Baseline is what the system text said, and Snapshot what the session was
	// last told; JSON of the epoch package.
	Baseline, Snapshot string
	// BaselineSeq is the turn that began it.
	BaselineSeq int
	// Revision counts what was told in it.
	Revision int64
	// ReplacementSeq is the turn after which a new epoch is due; 0 means none.
	ReplacementSeq int
}

// The states of a turn.
const (
	Prepared = "prepared" // its request was given to the panel
	Finished = "finished" // the panel reported what it cost
	Failed   = "failed"   // the panel reported that it came to nothing
)

// Turn is one request to the model.
type Turn struct {
	Session string
	// Number counts from 1.
	Number int
	// Parent is the turn that this one continues; 0 for the first.
	Parent int
	Epoch  int
	// State is [Prepared], [Finished] or [Failed].
	State string
	// Anchor is the id of the message that it was sent with.
	Anchor string
	// At is when it was prepared, in milliseconds since 1970.
	At                                 int64
	Model, Provider, Agent, Mode, Wire string
	// Said is JSON of the updates that were said with it, Delta of what it changed
	// of the snapshot, Cut of what of the history was left out.
	Said, Delta, Cut string
	// Prefix and Full are fingerprints of the request.
	Prefix, Full string
	// Sections is JSON of what was sent: key, layer, hash and tokens of each.
	Sections string
	// PrefixTokens and InputTokens are what was predicted.
	PrefixTokens, InputTokens int
	// The rest is what the panel reported, in tokens.
	UsageInput, UsageOutput, CacheRead, CacheWrite int
	Error                                          string
}

// Message is one of the messages that a turn appended or, after an edit, all
// that differ from its parent's.
type Message struct {
	Session string
	// Turn and Position, from 0 within the turn, name it.
	Turn, Position int
	// ID is the panel's.
	ID, Hash, Body string
}

// Told is a file that the session was told.
type Told struct {
	Session, RealPath, Path, Hash string
	// How is section, update or injection.
	How string
	// Anchor is the id of the message that carries it.
	Anchor    string
	Turn      int
	Text, Why string
	// Body is all that the caller keeps of it beside, as JSON.
	Body string
	// Seq orders all that was told and touched in a session. Where a change
	// leaves it 0, [Store.Write] gives the next.
	Seq int64
}

// Touched is a file that the session had to do with.
type Touched struct {
	Session, RealPath, Anchor, Kind string
	Turn                            int
	Seq                             int64 // as in [Told]
}

// Digest is what is worth remembering of a session that has ended.
type Digest struct {
	Session, Title, Text string
	At                   int64 // milliseconds since 1970
}

// Calibration is how a provider's counts compare with ours for a model and a
// kind of text.
type Calibration struct {
	Model, Kind string
	Ratio       float64
	Samples     int
	Updated     int64 // milliseconds since 1970
}

// BadRow is a row that could not be read.
type BadRow struct {
	// Table and Key name it.
	Table, Key string
	Err        error
}

// Rows is all that is known of one session: epochs and turns by number,
// messages by turn and position, what was told and touched by its order.
type Rows struct {
	Session  Session
	Epochs   []Epoch
	Turns    []Turn
	Messages []Message
	Told     []Told
	Touched  []Touched
	// Bad are rows that could not be read; they are in none of the lists above.
	Bad []BadRow
}

// Change is what [Store.Write] writes, whole or not at all.
type Change struct {
	// Session always has its ID. Other fields that are not empty replace what is
	// stored; Revision is not looked at.
	Session Session
	// Revision is that of the session when the change was made; 0 means that the
	// session is new.
	Revision int64
	// The rows are added or, where one with the same key is there, replaced: epochs
	// and turns by number, messages by turn and position, the others by Seq. Their
	// Session may be left empty. A turn that is replaced keeps its parent.
	Epochs   []Epoch
	Turns    []Turn
	Messages []Message
	Told     []Told
	Touched  []Touched
	// Digest takes the place of the session's digest; nil leaves it as it is.
	Digest *Digest
}
