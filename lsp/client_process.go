package lsp

import (
	"context"
	"time"
)

// clientPoll is how often the client's process is looked for. It is the second
// line: a client that dies closes our input, unless a child of its own holds
// that open.
const clientPoll = 3 * time.Second

// watchClient ends the session when the client's process is gone. A process
// that cannot be seen from the start is in another container or on another
// machine, and says nothing.
func (s *server) watchClient(pid int) {
	if !processAlive(pid) {
		s.log.log("debug", "the client's process cannot be seen from here; the end of input ends the server")
		return
	}
	s.start(func(ctx context.Context) {
		tick := time.NewTicker(s.options.ClientPoll)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if !processAlive(pid) {
					s.log.log("error", "the client's process has ended")
					s.end()
					return
				}
			}
		}
	})
}
