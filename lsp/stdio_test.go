package lsp

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestStdioPassesEverything(t *testing.T) {
	text := strings.Repeat("0123456789", 50_000)
	var out bytes.Buffer
	s := newStdio(iotest.HalfReader(strings.NewReader(text)), &out)
	got, err := io.ReadAll(iotest.OneByteReader(s))
	if err != nil || string(got) != text {
		t.Errorf("read %d bytes of %d: %v", len(got), len(text), err)
	}
	if _, err := io.WriteString(s, "answer"); err != nil || out.String() != "answer" {
		t.Errorf("wrote %q: %v", out.String(), err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A server that is told to end must end, though nothing more comes on its input
// and that stays open.
func TestServerEndsWhileItsInputIsOpen(t *testing.T) {
	in, open := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	exited := make(chan int, 1)
	go func() {
		exited <- Run(ctx, newStdio(in, io.Discard), Options{Home: t.TempDir(), TempDir: t.TempDir()})
	}()
	if _, err := io.WriteString(open, request(1, "initialize", hello)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if got := <-exited; got != 1 {
		t.Errorf("exit code %d", got)
	}
	open.Close()
}
