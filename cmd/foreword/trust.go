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
	var remove, list, approve, revoke bool
	c := &cobra.Command{
		Use:   "trust [FOLDER]",
		Short: "Trust a folder, take the trust back, or list the trusted folders",
		Long: `Trusts a folder: files in it may then make foreword read outside the repository.
The list is the user's own and holds real paths; no file of a workspace can
change it. Without a folder the list is printed.

Commands that a folder brings (contextCommand, sources and hooks of its
foreword.toml) run once the folder is trusted and each of them is approved as it
is: with --commands they are listed, with --approve-commands approved. Another
word, or another content of a file that the words name, ends an approval.`,
		Example: `  foreword trust .
  foreword trust --commands .
  foreword trust --approve-commands .
  foreword trust --remove ~/src/strange
  foreword trust`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			path := strings.Join(args, "")
			if list || approve || revoke {
				return p.trustCommands(c, path, approve, revoke)
			}
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
	c.Flags().BoolVar(&list, "commands", false, "list the commands that the folder brings, and whether they are approved")
	c.Flags().BoolVar(&approve, "approve-commands", false, "approve all of them, as they are now")
	c.Flags().BoolVar(&revoke, "revoke-commands", false, "take all approvals of the folder back")
	c.MarkFlagsMutuallyExclusive("remove", "commands")
	c.MarkFlagsMutuallyExclusive("remove", "approve-commands", "revoke-commands")
	p.jsonFlag(c)
	return c
}

// trustCommands lists the commands of a folder. What is approved is what was
// listed a moment before, and printed.
func (p *program) trustCommands(c *cobra.Command, path string, approve, revoke bool) error {
	if path == "" {
		path = "."
	}
	folder, err := p.target(path)
	if err != nil {
		return err
	}
	s, err := p.surroundings.open(path)
	if err != nil {
		return err
	}
	defer s.Close()
	params := commands.TrustCommandsParams{Folder: folder, Revoke: revoke}
	r, err := call[commands.TrustCommandsResult](c, s, "foreword.trust.commands", params)
	if err != nil {
		return err
	}
	if approve {
		for _, declared := range r.Commands {
			if declared.ID != "" {
				params.Approve = append(params.Approve, declared.ID)
			}
		}
		if r, err = call[commands.TrustCommandsResult](c, s, "foreword.trust.commands", params); err != nil {
			return err
		}
	}
	return p.show(r, r.Warnings, func() {
		if len(r.Commands) == 0 {
			p.printf("this folder brings no commands\n")
		}
		for _, declared := range r.Commands {
			p.printf("%s  %s\n  %q\n  from %s\n", declared.State, declared.Use, declared.Argv, declared.Origin)
			if declared.Why != "" {
				p.printf("  %s\n", declared.Why)
			}
			for _, f := range declared.Files {
				p.printf("  file %s  sha256 %.16s\n", f.Path, f.SHA256)
			}
		}
		if len(r.Commands) > 0 && !r.Trusted {
			p.printf("none of them runs: the folder is not trusted (foreword trust %s)\n", path)
		}
	})
}
