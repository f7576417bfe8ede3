// Package conformance is the protocol of the kit for runners in Go: it reads
// vectors, and writes a runner's introduction and answers. It imports no API
// types, so that a runner has those of its reader's version.
package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
)

// Vector is a question: objects, and a client whose requests a reader of
// slices directs to endpoints. What is expected is not part of it.
type Vector struct {
	ID      string            `json:"id"`
	Service json.RawMessage   `json:"service"`
	Slices  []json.RawMessage `json:"slices"`
	Nodes   []Node            `json:"nodes"`
	Client  struct {
		// Node is where requests from inside come from, and those from outside arrive.
		Node string `json:"node"`
	} `json:"client"`
	// Traffic is internal or external.
	Traffic string `json:"traffic"`
	// AddressType is the client's family, IPv4 or IPv6.
	AddressType string `json:"addressType"`
	Port        Port   `json:"port"`
}

// Port is a port of the Service.
type Port struct {
	Name     string `json:"name"`
	Protocol string `json:"protocol"`
}

// Node is a node of the cluster.
type Node struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels"`
}

// ClientNode is the node of the client.
func (v *Vector) ClientNode() Node {
	for _, node := range v.Nodes {
		if node.Name == v.Client.Node {
			return node
		}
	}
	return Node{Name: v.Client.Node}
}

// Introduction is the first line of a runner.
type Introduction struct {
	// Reader is the name of the program whose code answers.
	Reader string `json:"reader"`
	// Version is the version of that code.
	Version string `json:"version"`
	// How says in a sentence what is called, and how questions are put.
	How string `json:"how"`
}

// Answer is what a reader does; only one of the fields after the ID is set.
type Answer struct {
	ID string `json:"id"`
	// Endpoints are those that requests can reach, as address:port.
	Endpoints *[]string `json:"endpoints,omitempty"`
	// Varies says why the answer is not the same each time.
	Varies string `json:"varies,omitempty"`
	// NotServed says why the reader does not serve the port of the Service at all.
	NotServed string `json:"notServed,omitempty"`
	// NotAsked says why the question does not apply to this kind of reader.
	NotAsked string `json:"notAsked,omitempty"`
}

// Uses is the answer that requests reach these endpoints, in any order.
func Uses(endpoints []string) Answer {
	sorted := append([]string{}, endpoints...)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	return Answer{Endpoints: &sorted}
}

// Decode reads an object of a vector.
func Decode[T any](text json.RawMessage) (*T, error) {
	object := new(T)
	if err := json.Unmarshal(text, object); err != nil {
		return nil, fmt.Errorf("object of a vector: %w", err)
	}
	return object, nil
}

// DecodeAll reads the slices of a vector.
func DecodeAll[T any](texts []json.RawMessage) ([]*T, error) {
	objects := make([]*T, 0, len(texts))
	for _, text := range texts {
		object, err := Decode[T](text)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// Objects reads the Service and the slices of a vector.
func Objects[S, E any](vector *Vector) (*S, []*E, error) {
	service, err := Decode[S](vector.Service)
	if err != nil {
		return nil, nil, err
	}
	slices, err := DecodeAll[E](vector.Slices)
	return service, slices, err
}

// Version is the version of a module that this program is built with.
func Version(module string) string {
	info, _ := debug.ReadBuildInfo()
	if info != nil {
		for _, each := range info.Deps {
			if each.Path != module {
				continue
			}
			if each.Replace != nil {
				each = each.Replace
			}
			return each.Version
		}
	}
	return "unknown"
}

// Main is the main function of a runner: an answer to each vector of the
// standard input. It ends the process.
func Main(introduction Introduction, answer func(*Vector) (Answer, error)) {
	if err := Serve(os.Stdin, os.Stdout, introduction, answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// longest has ample room for a line with a vector.
const longest = 16 << 20

// Serve answers each vector of the input, one per line.
func Serve(in io.Reader, out io.Writer, introduction Introduction, answer func(*Vector) (Answer, error)) error {
	written := json.NewEncoder(out)
	written.SetEscapeHTML(false)
	if err := written.Encode(introduction); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		vector, err := Decode[Vector](lines.Bytes())
		if err != nil {
			return err
		}
		given, err := answer(vector)
		if err != nil {
			return fmt.Errorf("%s: %w", vector.ID, err)
		}
		given.ID = vector.ID
		if err := written.Encode(given); err != nil {
			return err
		}
	}
	return lines.Err()
}
