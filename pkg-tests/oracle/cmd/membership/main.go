// Command membership writes the golden file of the package of that name, as
// answered by the reference.
//
//	membership ../differential
package main

import (
	"fmt"
	"os"

	"slicewise/oracle/membership"
	"slicewise/oracle/release"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: membership DIRECTORY")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "membership:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	text, err := membership.Text(folder)
	if err != nil {
		return err
	}
	return release.WriteOwn(folder, membership.Name, text)
}
