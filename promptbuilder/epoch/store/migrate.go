package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ncruces/go-sqlite3"
)

// errForeign means that a file is a database of some other program.
var errForeign = errors.New("it is the database of another program: move it away")

// newer is the version of a file that this program does not know.
type newer struct{ found, known int }

func (n *newer) Error() string {
	return fmt.Sprintf("the tables are of version %d; this program knows %d", n.found, n.known)
}

// peek looks at the header of a file, without the database engine, which
// already writes when it opens one. It gives the file's identity.
func peek(file *os.File) (os.FileInfo, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	// The database file format (sqlite.org/fileformat2.html, section 1.3): a header
	// of 100 bytes, the magic string first, the user version at 60 and the
	// application id at 68, both big-endian.
	header := make([]byte, 100)
	if _, err := io.ReadFull(file, header); err != nil || string(header[:16]) != "SQLite format 3\x00" {
		return info, nil // new, or broken: SQLite finds out
	}
	version, id := binary.BigEndian.Uint32(header[60:]), binary.BigEndian.Uint32(header[68:])
	switch {
	case id != applicationID && (id != 0 || version != 0):
		return nil, errForeign
	case int(version) > len(migrations):
		return nil, &newer{int(version), len(migrations)}
	}
	return info, nil
}

// known makes sure that the tables are of the version that this program writes:
// a newer one may have changed them while the file was open.
func (c *connection) known() error {
	_, err := c.version()
	return err
}

// version reads the version of the tables. Where it is newer than what this
// program knows, the error says so, and not even the log is written into the
// file when it is closed.
func (c *connection) version() (int64, error) {
	version, _, err := c.number("PRAGMA user_version")
	if err != nil || int(version) <= len(migrations) {
		return version, err
	}
	if _, err := c.db.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, true); err != nil {
		return version, err
	}
	return version, &newer{int(version), len(migrations)}
}

// migrate makes the tables, or brings them to the newest version, each step as a
// whole.
func (c *connection) migrate() error {
	version, err := c.version()
	if err != nil {
		return err
	}
	if version == 0 {
		if err := c.prepareNew(); err != nil {
			return err
		}
	}
	for int(version) < len(migrations) {
		if err := c.step(&version); err != nil {
			return err
		}
	}
	return nil
}

// prepareNew settles what must be settled before the first table. A file with
// tables but no version is not ours.
func (c *connection) prepareNew() error {
	n, _, err := c.number("SELECT count(*) FROM sqlite_schema")
	if err != nil {
		return err
	}
	id, _, err := c.number("PRAGMA application_id")
	if err != nil {
		return err
	}
	if n > 0 && id != applicationID {
		return errForeign
	}
	if n > 0 {
		return nil // another process just made them
	}
	// INCREMENTAL gives the room of forgotten sessions back to the disk.
	return c.db.Exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;")
}

// step takes the step after version, unless another process took it meanwhile.
func (c *connection) step(version *int64) error {
	return c.writing(func() error {
		found, err := c.version()
		if err != nil || found != *version {
			*version = found
			return err
		}
		*version++
		return c.db.Exec(migrations[found] + fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, *version))
	})
}
