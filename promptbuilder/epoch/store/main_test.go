package store

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"

	"go.uber.org/goleak"
)

// children are what this test binary does as another process, by name.
var children = map[string]func(arguments []string){}

// childName is the variable that tells the binary to be such a process.
const childName = "FOREWORD_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if run, ok := children[os.Getenv(childName)]; ok {
		run(os.Args[1:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// child is another process on the same file.
type child struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// started starts a child; it prints what it did line by line.
func started(t *testing.T, name string, arguments ...string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(os.Args[0], arguments...)}
	c.Env = append(os.Environ(), childName+"="+name)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.in, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewScanner(out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// line waits for the next line of a child; ok is false when it has ended.
func (c *child) line() (line string, ok bool) {
	ok = c.lines.Scan()
	return c.lines.Text(), ok
}
