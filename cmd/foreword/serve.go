package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"foreword/lsp"
)

func (p *program) serveCommand() *cobra.Command {
	var logFile string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the language server on standard input and output",
		Long: `Runs the language server on standard input and output. Editors start it; by hand
it waits for a client. The workspace folders are the client's.`,
		Example: `  foreword serve
  foreword serve --log-file ~/.cache/foreword.log`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := p.surroundings.options()
			if err != nil {
				return err
			}
			log, err := openLog(logFile)
			if err != nil {
				return err
			}
			defer log.Close()
			p.code = lsp.Run(c.Context(), lsp.Stdio(), lsp.Options{
				Version: version, Log: log, Home: o.Home, Env: o.Env, Environ: o.Environ, Now: o.Now,
			})
			return nil
		},
	}
	c.Flags().StringVar(&logFile, "log-file", "", "`file` to append the log to; it may hold file names, never the text of prompts")
	c.Flags().Bool("stdio", true, "speak on standard input and output, as it always does; many clients say so")
	return c
}

func openLog(path string) (io.WriteCloser, error) {
	if path == "" {
		return discard{}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the log's folder: %w", err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot open the log: %w", err)
	}
	return file, nil
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) Close() error                { return nil }
