package corpus

import (
	"bytes"
	"encoding/json"
	"strings"
)

// width is how long a line of a case file may be before it is broken.
const width = 120

// format lays out JSON for people: what fits on a line stays on one. The order
// of keys is kept.
func format(text []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	node, err := readNode(decoder)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	node.write(&out, "", 0)
	out.WriteByte('\n')
	return []byte(out.String()), nil
}

// node is a JSON value: a literal, or the parts of a list or an object.
type node struct {
	literal     string
	open, close string
	keys        []string
	parts       []*node
}

func readNode(decoder *json.Decoder) (*node, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		literal, err := marshal(token)
		return &node{literal: string(literal)}, err
	}
	n := &node{open: delim.String(), close: "]"}
	if delim == '{' {
		n.close = "}"
	}
	for decoder.More() {
		if delim == '{' {
			key, err := readNode(decoder)
			if err != nil {
				return nil, err
			}
			n.keys = append(n.keys, key.literal+": ")
		}
		part, err := readNode(decoder)
		if err != nil {
			return nil, err
		}
		n.parts = append(n.parts, part)
	}
	_, err = decoder.Token()
	return n, err
}

func (n *node) key(i int) string {
	if i < len(n.keys) {
		return n.keys[i]
	}
	return ""
}

// inline is the value on one line.
func (n *node) inline() string {
	if n.open == "" {
		return n.literal
	}
	parts := make([]string, len(n.parts))
	for i, part := range n.parts {
		parts[i] = n.key(i) + part.inline()
	}
	return n.open + strings.Join(parts, ", ") + n.close
}

// write lays out the value; used is the width already taken on its line.
func (n *node) write(out *strings.Builder, indent string, used int) {
	if line := n.inline(); n.open == "" || len(n.parts) == 0 || len(indent)+used+len(line) <= width {
		out.WriteString(line)
		return
	}
	out.WriteString(n.open)
	for i, part := range n.parts {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + indent + "  " + n.key(i))
		part.write(out, indent+"  ", len(n.key(i)))
	}
	out.WriteString("\n" + indent + n.close)
}
