package store

import (
	"context"
	"fmt"

	"github.com/ncruces/go-sqlite3"
)

// PutDigest stores a session's digest, instead of an earlier one. The session
// need not be stored. At is set where it is 0.
func (s *Store) PutDigest(ctx context.Context, digest Digest) error {
	if digest.At == 0 {
		digest.At = s.now().UnixMilli()
	}
	if size(digest.columns()) > maxChange {
		return fmt.Errorf("%w: the digest of session %q is longer than %d bytes", ErrInvalid, digest.Session, maxChange)
	}
	return s.use(ctx, func(c *connection) error {
		return c.writing(func() error { return c.put("digests", digest.columns()) })
	})
}

// Digests lists all digests, the newest first.
func (s *Store) Digests(ctx context.Context) ([]Digest, error) {
	var all []Digest
	err := s.use(ctx, func(c *connection) error {
		return c.reading(func() error {
			all = nil
			var r Digest
			return c.each("SELECT "+list(r.columns())+" FROM digests ORDER BY at DESC, session", nil, func(stmt *sqlite3.Stmt) error {
				err := scan(stmt, 0, r.columns())
				all = append(all, r)
				return err
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// PutCalibration stores how a model's counts compare with ours, instead of what
// was stored for the model and kind. Updated is set where it is 0.
func (s *Store) PutCalibration(ctx context.Context, calibration Calibration) error {
	if err := check(calibration.columns()); err != nil {
		return fmt.Errorf("%w: calibration of %q: %w", ErrInvalid, calibration.Model, err)
	}
	if calibration.Updated == 0 {
		calibration.Updated = s.now().UnixMilli()
	}
	return s.use(ctx, func(c *connection) error {
		return c.writing(func() error { return c.put("calibrations", calibration.columns()) })
	})
}

// Calibrations lists all calibrations by model and kind.
func (s *Store) Calibrations(ctx context.Context) ([]Calibration, error) {
	var all []Calibration
	err := s.use(ctx, func(c *connection) error {
		return c.reading(func() error {
			all = nil
			var r Calibration
			return c.each("SELECT "+list(r.columns())+" FROM calibrations ORDER BY model, kind", nil, func(stmt *sqlite3.Stmt) error {
				err := scan(stmt, 0, r.columns())
				all = append(all, r)
				return err
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
