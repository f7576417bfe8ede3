// Command metrics writes the histories for testing slicewise's metrics, with the
// state of the reference's registry after each step.
//
//	metrics ../differential      # answered anew
//	metrics -new ../differential # with slices that are made anew
package main

import (
	"flag"
	"fmt"
	"os"

	"slicewise/oracle/metrics"
	"slicewise/oracle/release"
)

func main() {
	isNew := flag.Bool("new", false, "make the histories, too")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: metrics [-new] DIRECTORY")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *isNew); err != nil {
		fmt.Fprintln(os.Stderr, "metrics:", err)
		os.Exit(1)
	}
}

func run(folder string, isNew bool) error {
	text := func() ([]byte, error) { return metrics.Text(folder) }
	if isNew {
		text = metrics.New
	}
	made, err := text()
	if err != nil {
		return err
	}
	return release.WriteOwn(folder, metrics.Name, made)
}
