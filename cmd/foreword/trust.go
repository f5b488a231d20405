package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"go.lsp.dev/uri"

	"foreword/commands"
)

func (p *program) trustCommand() *cobra.Command {
	var remove bool
	c := &cobra.Command{
		Use:   "trust [FOLDER]",
		Short: "Trust a folder, take the trust back, or list the trusted folders",
		Long: `Trusts a folder: files in it may then make foreword read outside the repository.
The list is the user's own and holds real paths; no file of a workspace can
change it. Without a folder the list is printed.`,
		Example: `  foreword trust .
  foreword trust --remove ~/src/strange
  foreword trust`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			path := strings.Join(args, "")
			var params commands.TrustParams
			if path != "" {
				absolute, err := filepath.Abs(path)
				if err != nil {
					return err
				}
				// A folder that is gone can still be taken off the list.
				if info, err := os.Stat(absolute); !remove && (err != nil || !info.IsDir()) {
					return usageError{fmt.Errorf("%s: no such folder", path)}
				}
				trusted := !remove
				params.Folder, params.Trusted = string(uri.File(absolute)), &trusted
			}
			s, err := p.surroundings.open("")
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[commands.TrustResult](c, s, "foreword.trust", params)
			if err != nil {
				return err
			}
			return p.show(r, r.Warnings, func() {
				if len(r.Folders) == 0 {
					p.printf("no folder is trusted\n")
				}
				for _, f := range r.Folders {
					p.printf("%s  since %s\n", f.Path, f.Since)
				}
			})
		},
	}
	c.Flags().BoolVar(&remove, "remove", false, "take the folder off the list")
	p.jsonFlag(c)
	return c
}
