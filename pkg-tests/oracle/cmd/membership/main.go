// Command membership prints the cases for testing which Services a pod belongs
// to, with the reference's answers.
package main

import (
	"fmt"
	"os"

	"slicewise/oracle/membership"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "membership:", err)
		os.Exit(1)
	}
}

func run() error {
	cases, err := membership.Cases(membership.Seed, membership.Count)
	if err != nil {
		return err
	}
	text, err := membership.MarshalCompact(cases)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}
