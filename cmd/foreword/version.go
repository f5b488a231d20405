package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  foreword version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := struct {
				Version  string `json:"version"`
				Contract int    `json:"contract"`
				Go       string `json:"go"`
				Platform string `json:"platform"`
			}{version, commands.Version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return p.show(v, nil, func() { p.printf("foreword %s (%s, %s)\n", v.Version, v.Go, v.Platform) })
		},
	}
	p.jsonFlag(c)
	return c
}
