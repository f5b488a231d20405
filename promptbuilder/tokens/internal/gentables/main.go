// Command gentables writes the embedded tables of package tokens: the rune classes that the splitters need, and for each
// vocabulary the hash tables of whole tokens and of merges. Run it with go generate in promptbuilder/tokens.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"foreword/promptbuilder/tokens/internal/tablegen"
)

func main() {
	out := flag.String("out", "tables", "directory for the table files")
	flag.Parse()
	files, err := tablegen.All()
	if err == nil {
		err = os.MkdirAll(*out, 0o755)
	}
	for name, data := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(*out, name), data, 0o644)
			fmt.Printf("%-12s %8d bytes\n", name, len(data))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gentables:", err)
		os.Exit(1)
	}
}
