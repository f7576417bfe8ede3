// Command sequences writes the reference's answers to sequences of calls about
// its state between syncs.
//
//	sequences ../differential
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"slicewise/oracle/release"
	"slicewise/oracle/sequences"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sequences DIRECTORY")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "sequences:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	for _, name := range sequences.Names() {
		text, err := sequences.Text(name)
		if err != nil {
			return err
		}
		if err := release.WriteOwn(folder, filepath.Join("sequences", name+".json"), text); err != nil {
			return err
		}
	}
	return nil
}
