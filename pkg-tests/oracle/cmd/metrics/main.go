// Command metrics prints the histories for testing slicewise's metrics, with
// the state of the reference's registry after each step.
package main

import (
	"fmt"
	"os"

	"slicewise/oracle/metrics"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "metrics:", err)
		os.Exit(1)
	}
}

func run() error {
	histories, err := metrics.Histories(metrics.Seed)
	if err != nil {
		return err
	}
	text, err := metrics.Marshal(histories)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}
