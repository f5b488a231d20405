package store

// applicationID marks the file as ours in its header ("fwrd"), so that another
// program's database is never taken for it.
const applicationID = 0x66777264

// migrations are the steps from one version of the tables to the next. The
// version, in PRAGMA user_version, is the number of steps taken.
//
// A session's rows refer to it by a number, which keeps them together in the
// file and small. Tables are STRICT, so that a column holds one kind of value
// only, whoever writes it.
var migrations = []string{`
CREATE TABLE sessions (
	key INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE, root TEXT NOT NULL, title TEXT NOT NULL,
	created INTEGER NOT NULL, updated INTEGER NOT NULL,
	revision INTEGER NOT NULL, turns INTEGER NOT NULL,
	seq INTEGER NOT NULL
) STRICT;
CREATE TABLE epochs (
	session INTEGER NOT NULL, number INTEGER NOT NULL,
	agent TEXT NOT NULL, root TEXT NOT NULL, reason TEXT NOT NULL,
	baseline TEXT NOT NULL, snapshot TEXT NOT NULL,
	baseline_seq INTEGER NOT NULL, revision INTEGER NOT NULL, replacement_seq INTEGER NOT NULL,
	PRIMARY KEY (session, number)
) STRICT;
CREATE TABLE turns (
	session INTEGER NOT NULL, number INTEGER NOT NULL,
	parent INTEGER NOT NULL, epoch INTEGER NOT NULL,
	state TEXT NOT NULL, anchor TEXT NOT NULL, at INTEGER NOT NULL,
	model TEXT NOT NULL, provider TEXT NOT NULL, agent TEXT NOT NULL, mode TEXT NOT NULL, wire TEXT NOT NULL,
	said TEXT NOT NULL, delta TEXT NOT NULL, cut TEXT NOT NULL,
	prefix TEXT NOT NULL, full TEXT NOT NULL, sections TEXT NOT NULL,
	prefix_tokens INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
	usage_input INTEGER NOT NULL, usage_output INTEGER NOT NULL,
	cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,
	error TEXT NOT NULL,
	PRIMARY KEY (session, number)
) STRICT;
CREATE TABLE messages (
	session INTEGER NOT NULL, turn INTEGER NOT NULL, position INTEGER NOT NULL,
	id TEXT NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL,
	PRIMARY KEY (session, turn, position)
) STRICT;
CREATE TABLE told (
	session INTEGER NOT NULL, seq INTEGER NOT NULL,
	real_path TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL, how TEXT NOT NULL,
	anchor TEXT NOT NULL, turn INTEGER NOT NULL, text TEXT NOT NULL, why TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY (session, seq)
) STRICT;
CREATE TABLE touched (
	session INTEGER NOT NULL, seq INTEGER NOT NULL,
	real_path TEXT NOT NULL, anchor TEXT NOT NULL, kind TEXT NOT NULL, turn INTEGER NOT NULL,
	PRIMARY KEY (session, seq)
) STRICT;
CREATE TABLE digests (
	session TEXT NOT NULL PRIMARY KEY,
	title TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE calibrations (
	model TEXT NOT NULL, kind TEXT NOT NULL,
	ratio REAL NOT NULL, samples INTEGER NOT NULL, updated INTEGER NOT NULL,
	PRIMARY KEY (model, kind)
) STRICT;
`}

// ofSession are the tables whose rows belong to a session.
var ofSession = []string{"epochs", "turns", "messages", "told", "touched"}

// tables are all tables.
var tables = []string{"sessions", "epochs", "turns", "messages", "told", "touched", "digests", "calibrations"}
