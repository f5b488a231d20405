package lsp

import (
	"io"
	"os"
	"sync"
)

// Stdio is the connection of a server that was started by its editor: requests
// on standard input, answers on standard output.
func Stdio() io.ReadWriteCloser { return newStdio(os.Stdin, os.Stdout) }

// stdio makes a read of standard input end when the connection is closed. The
// system has no way to interrupt it, so a goroutine reads ahead; one that is
// stuck in a read then stays until the process ends.
type stdio struct {
	io.Writer
	chunks chan []byte   // what was read, one chunk at a time
	taken  chan struct{} // the last chunk was used up
	closed chan struct{}
	close  func()
	rest   []byte // of the last chunk; belongs to the reader
}

// chunkSize is the size of one read in bytes, that of a pipe on Linux.
const chunkSize = 64 << 10

func newStdio(in io.Reader, out io.Writer) *stdio {
	s := &stdio{
		Writer: out, chunks: make(chan []byte), taken: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	s.close = sync.OnceFunc(func() { close(s.closed) })
	go s.readAhead(in)
	return s
}

func (s *stdio) readAhead(in io.Reader) {
	defer close(s.chunks)
	buffer := make([]byte, chunkSize)
	for {
		n, err := in.Read(buffer)
		if n > 0 {
			select {
			case s.chunks <- buffer[:n]:
			case <-s.closed:
				return
			}
			select {
			case <-s.taken:
			case <-s.closed:
				return
			}
		}
		if err != nil {
			return // whatever it is, nothing more comes
		}
	}
}

func (s *stdio) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		select {
		case <-s.closed:
			return 0, io.ErrClosedPipe
		case chunk, ok := <-s.chunks:
			if !ok {
				return 0, io.EOF
			}
			s.rest = chunk
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	if len(s.rest) == 0 {
		s.taken <- struct{}{}
	}
	return n, nil
}

func (s *stdio) Close() error {
	s.close()
	return nil
}
