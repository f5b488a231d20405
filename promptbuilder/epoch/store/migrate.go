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
// program knows, the error says so.
func (c *connection) version() (int64, error) {
	version, _, err := c.number("PRAGMA user_version")
	if err == nil && int(version) > len(migrations) {
		err = &newer{int(version), len(migrations)}
	}
	return version, err
}

// migrate makes the tables, or brings them to the newest version, each step as a
// whole. A file that has tables but not our mark is not ours.
func (c *connection) migrate() error {
	var id, version, objects int64 // of one moment, since another process may be making the file
	err := c.each("SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id, pragma_user_version",
		nil, func(stmt *sqlite3.Stmt) error {
			id, version, objects = stmt.ColumnInt64(0), stmt.ColumnInt64(1), stmt.ColumnInt64(2)
			return nil
		})
	if err != nil {
		return err
	}
	isNew := id == 0 && version == 0 && objects == 0
	switch {
	case id != applicationID && !isNew:
		return errForeign
	case int(version) > len(migrations):
		return &newer{int(version), len(migrations)}
	case isNew:
		// INCREMENTAL, which must be said before the first table, gives the room of
		// forgotten sessions back to the disk.
		if err := c.db.Exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"); err != nil {
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
