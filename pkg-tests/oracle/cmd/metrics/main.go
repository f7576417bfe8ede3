// Command metrics prints the histories that slicewise's metrics are tested
// with, and what the reference's registry says after each step.
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
