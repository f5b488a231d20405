package store

import (
	"context"
	"fmt"
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
	return listRows[Digest](ctx, s, "digests ORDER BY at DESC, session")
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
	return listRows[Calibration](ctx, s, "calibrations ORDER BY model, kind")
}
