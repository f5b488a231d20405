package commands

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"foreword/workspace/fsys"
)

// addressStore keeps what addresses said in the user's own cache folder, one
// file an address, readable by the user alone.
type addressStore struct{ dir string }

// maxStored is how many addresses are kept; the longest unused go first.
const maxStored = 256

// storedAddress is one file of the store.
type storedAddress struct {
	Address  string    `json:"address"`
	ETag     string    `json:"etag,omitempty"`
	Modified string    `json:"lastModified,omitempty"`
	Fetched  time.Time `json:"fetched"`
	Text     string    `json:"text"`
}

// cacheDir is foreword's folder of the user's cache, or empty.
func cacheDir(home string, env func(string) string) string {
	if dir := env("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "foreword")
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".cache", "foreword")
}

// path is the file of an address. What only the user may ask for is kept apart.
func (s addressStore) path(key addressKey) string {
	name := sha256.Sum256([]byte(key.address))
	suffix := ".json"
	if key.private {
		suffix = ".user.json"
	}
	return filepath.Join(s.dir, hex.EncodeToString(name[:])+suffix)
}

// load reads what an address said last. A file that is broken, or another's,
// is none.
func (s addressStore) load(key addressKey) (storedAddress, bool) {
	var kept storedAddress
	if s.dir == "" {
		return kept, false
	}
	path := s.path(key)
	// A text of the largest size grows when it is written as JSON.
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > 8*fsys.MaxFileSize {
		return kept, false
	}
	raw, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(raw, &kept) != nil || kept.Address != key.address {
		return storedAddress{}, false
	}
	return kept, true
}

// save keeps what an address said.
func (s addressStore) save(key addressKey, kept storedAddress) error {
	if s.dir == "" {
		return nil
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(s.dir, ".draft-*") // readable by the user alone
	if err != nil {
		return err
	}
	_, err = draft.Write(raw)
	if err = errors.Join(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), s.path(key))
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return s.trim()
}

// trim removes the files that were written longest ago.
func (s addressStore) trim() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil || len(entries) <= maxStored {
		return err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ".json") {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files[:max(0, len(files)-maxStored)] {
		err = errors.Join(err, os.Remove(filepath.Join(s.dir, f.Name())))
	}
	return err
}
