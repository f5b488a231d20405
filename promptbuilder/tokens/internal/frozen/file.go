package frozen

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

// A table file is a sequence of sections, each a little-endian length in bytes (8 bytes) followed by the data, padded to a
// multiple of 8. Numbers inside are little-endian too.

// File reads the sections of a table file in order.
type File struct {
	rest []byte
	err  error
}

// Open starts reading data.
func Open(data []byte) *File { return &File{rest: data} }

// Err reports the first malformed section.
func (f *File) Err() error { return f.err }

// Bytes returns the next section, sharing the file's memory.
func (f *File) Bytes() []byte {
	if f.err != nil {
		return nil
	}
	if len(f.rest) < 8 {
		f.err = fmt.Errorf("table file ends early")
		return nil
	}
	n := binary.LittleEndian.Uint64(f.rest)
	if n > uint64(len(f.rest)-8) {
		f.err = fmt.Errorf("table section of %d bytes does not fit the file", n)
		return nil
	}
	section := f.rest[8 : 8+n]
	f.rest = f.rest[8+min((n+7)&^7, uint64(len(f.rest)-8)):]
	return section
}

// Words returns the next section as numbers. On a little-endian machine they share the file's memory where it is aligned,
// as the linker places large embedded files; elsewhere they are copied.
func Words[T uint16 | uint32 | uint64](f *File) []T {
	b := f.Bytes()
	size := int(unsafe.Sizeof(T(0)))
	if len(b) == 0 {
		return nil
	}
	if littleEndian && uintptr(unsafe.Pointer(&b[0]))%uintptr(size) == 0 {
		return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/size)
	}
	words := make([]T, len(b)/size)
	for i := range words {
		var v uint64
		for k := range size {
			v |= uint64(b[i*size+k]) << (8 * k)
		}
		words[i] = T(v)
	}
	return words
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Table returns the next table, whose slots have width words.
func (f *File) Table(width int) Table {
	t := Table{seeds: Words[uint16](f), slots: Words[uint64](f)}
	t.n = uint64(len(t.slots) / width)
	if f.err == nil && (t.n == 0 || len(t.seeds) == 0 || len(t.seeds)&(len(t.seeds)-1) != 0) {
		f.err = fmt.Errorf("table with %d slots and %d seeds", t.n, len(t.seeds))
	}
	return t
}

// Append adds a section to a table file.
func Append(file, section []byte) []byte {
	file = binary.LittleEndian.AppendUint64(file, uint64(len(section)))
	file = append(file, section...)
	for len(file)%8 != 0 {
		file = append(file, 0)
	}
	return file
}
