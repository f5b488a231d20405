package lsp

import (
	"io"
	"sync"
)

// maxUnread is how many bytes may wait for a client that does not read, before
// those who write have to wait for it. It is more than any answer; a client
// that lets more pile up is stuck.
const maxUnread = 64 << 20

// outbox writes to the client from a goroutine of its own. Without it the read
// loop, which answers some messages itself, could wait for a client to read
// that is waiting for us to read.
type outbox struct {
	out  io.Writer
	done chan struct{} // closed when the last byte was written, or none can be

	mu      sync.Mutex // guards the rest
	changed *sync.Cond
	pending []byte // whole messages
	closed  bool   // nothing more comes
	err     error  // of the writer
}

func newOutbox(out io.Writer) *outbox {
	o := &outbox{out: out, done: make(chan struct{})}
	o.changed = sync.NewCond(&o.mu)
	return o
}

// Write takes one whole message. The error is that of an earlier one.
func (o *outbox) Write(message []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) > maxUnread && o.err == nil && !o.closed {
		o.changed.Wait()
	}
	switch {
	case o.err != nil:
		return 0, o.err
	case o.closed:
		return 0, io.ErrClosedPipe
	}
	o.pending = append(o.pending, message...)
	o.changed.Broadcast()
	return len(message), nil
}

// close lets what is pending go out, and takes nothing more.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.changed.Broadcast()
}

// run writes until the outbox is closed and empty, or the client is gone, which
// is the error.
func (o *outbox) run() error {
	defer close(o.done)
	var sending []byte
	for {
		o.mu.Lock()
		for len(o.pending) == 0 && !o.closed {
			o.changed.Wait()
		}
		if len(o.pending) == 0 {
			o.mu.Unlock()
			return nil
		}
		if cap(sending) > keptBuffer {
			sending = nil // one large answer should not hold its memory for long
		}
		sending, o.pending = o.pending, sending[:0]
		o.changed.Broadcast()
		o.mu.Unlock()

		if _, err := o.out.Write(sending); err != nil {
			o.mu.Lock()
			o.err = err
			o.changed.Broadcast()
			o.mu.Unlock()
			return err
		}
	}
}
