package lsp

import (
	"errors"
	"io"
	"os"
)

// Stdio is the connection of a server that was started by its editor: requests
// on standard input, answers on standard output.
func Stdio() io.ReadWriteCloser { return stdio{os.Stdin, os.Stdout} }

type stdio struct {
	io.Reader
	io.Writer
}

func (stdio) Close() error { return errors.Join(os.Stdin.Close(), os.Stdout.Close()) }
