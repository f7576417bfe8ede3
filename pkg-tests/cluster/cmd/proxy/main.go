// Command proxy is a drop-in replacement for `slicewise proxy --ndjson` that
// runs the reference.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"slicewise/cluster/proxy/oracle"
)

// longest has ample room for a line with a slice of a thousand endpoints.
const longest = 64 << 20

func main() {
	settings := parseFlags()
	if err := run(settings); err != nil {
		fmt.Fprintln(os.Stderr, "proxy:", err)
		os.Exit(2)
	}
}

func parseFlags() oracle.Settings {
	settings := oracle.Settings{NodeLabels: map[string]string{}}
	flag.StringVar(&settings.Node, "node", "", "name of the node")
	flag.Func("node-labels", "key=value,…", func(text string) error {
		for pair := range strings.SplitSeq(text, ",") {
			key, value, _ := strings.Cut(pair, "=")
			settings.NodeLabels[key] = value
		}
		return nil
	})
	flag.StringVar(&settings.AddressType, "address-type", "IPv4", "IPv4 or IPv6")
	flag.StringVar(&settings.Started, "started", "", "RFC 3339; earlier trigger times are not reported")
	gate := flag.Bool("prefer-same-traffic-distribution", true, "the feature gate of that name")
	flag.Bool("ndjson", true, "there is no other form")
	arguments := os.Args[1:]
	if len(arguments) > 0 && arguments[0] == "proxy" { // so that it can stand in for slicewise
		arguments = arguments[1:]
	}
	_ = flag.CommandLine.Parse(arguments) // it exits on errors
	settings.SameTraffic = gate
	return settings
}

func run(settings oracle.Settings) error {
	if err := oracle.SetGate(settings.Gate()); err != nil {
		return err
	}
	asked, err := oracle.New(settings)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longest)
	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		answer, err := asked.Line(line)
		if err != nil {
			return err
		}
		if answer == nil {
			continue
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}
