package store

import (
	"context"
	"os"
)

// Sizes is how much the store holds.
type Sizes struct {
	// Bytes of the file and its companions on the disk; in memory 0.
	Bytes int64
	// Tables in the order in which the schema makes them.
	Tables []TableSize
}

// TableSize is the number of rows of a table.
type TableSize struct {
	Name string
	Rows int64
}

// Sizes counts what is stored.
func (s *Store) Sizes(ctx context.Context) (Sizes, error) {
	var sizes Sizes
	err := s.use(ctx, func(c *connection) error {
		return c.reading(func() error {
			for _, table := range tables {
				rows, _, err := c.number("SELECT count(*) FROM " + table)
				if err != nil {
					return err
				}
				sizes.Tables = append(sizes.Tables, TableSize{table, rows})
			}
			return nil
		})
	})
	if err != nil {
		return Sizes{}, err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(s.path + suffix); err == nil && s.path != "" {
			sizes.Bytes += info.Size()
		}
	}
	return sizes, nil
}
