package oracle

import (
	"encoding/json"
	"fmt"
)

// record is one line of the stream: an event or a question.
type record struct {
	Type   string `json:"type"`
	Object struct {
		Kind string `json:"kind"`
	} `json:"object"`
	Sync json.RawMessage `json:"sync"`
}

// question is what a sync should include in its answer.
type question struct {
	routes    bool
	conntrack []Entry
	asked     bool
}

// Entry is an entry of the connection tracker.
type Entry struct {
	Protocol string `json:"protocol"`
	Origin   Tuple  `json:"origin"`
	Reply    Tuple  `json:"reply"`
}

// Tuple is one direction of an entry.
type Tuple struct {
	Src     string `json:"src"`
	Dst     string `json:"dst"`
	SrcPort uint16 `json:"srcPort"`
	DstPort uint16 `json:"dstPort"`
}

func parseQuestion(sync json.RawMessage) (question, error) {
	switch text := string(sync); text {
	case "true":
		return question{routes: true}, nil
	case `"endpoints"`:
		return question{}, nil
	}
	var table struct {
		Conntrack []Entry `json:"conntrack"`
	}
	if err := json.Unmarshal(sync, &table); err != nil {
		return question{}, fmt.Errorf("sync: %w", err)
	}
	return question{routes: true, conntrack: table.Conntrack, asked: true}, nil
}

// Answer is the answer to a sync.
type Answer struct {
	// UpdatedServices are those whose slices have changed.
	UpdatedServices []string `json:"updatedServices"`
	// UpdatedServicePorts are those that have changed themselves.
	UpdatedServicePorts []string              `json:"updatedServicePorts"`
	TriggerTimes        map[string][]string   `json:"triggerTimes"`
	Endpoints           map[string][]Endpoint `json:"endpoints"`
	// Routes is nil if not requested.
	Routes   *map[string]Route `json:"routes,omitempty"`
	StaleUDP StaleUDP          `json:"staleUdp"`
	// ConntrackCleanupRequired reports whether kube-proxy reads the entries.
	ConntrackCleanupRequired bool `json:"conntrackCleanupRequired"`
	// StaleConntrack are the indexes of entries to delete; nil if no entries were
	// given.
	StaleConntrack *[]int `json:"staleConntrack,omitempty"`
	// HealthCheckNodePorts and LocalReadyEndpoints determine the answers to a load
	// balancer's health checks of this node, by Service.
	HealthCheckNodePorts map[string]uint16 `json:"healthCheckNodePorts"`
	LocalReadyEndpoints  map[string]int    `json:"localReadyEndpoints"`
}

// Endpoint is an endpoint of a service port.
type Endpoint struct {
	Endpoint    string   `json:"endpoint"`
	Ready       bool     `json:"ready"`
	Serving     bool     `json:"serving"`
	Terminating bool     `json:"terminating"`
	Local       bool     `json:"local"`
	ZoneHints   []string `json:"zoneHints"`
	NodeHints   []string `json:"nodeHints"`
}

// Route is where a service port sends traffic on this node.
type Route struct {
	Cluster   []string `json:"cluster"`
	Local     []string `json:"local"`
	Reachable []string `json:"reachable"`
	HasAny    bool     `json:"hasAny"`
	Topology  string   `json:"topology"`
}

// StaleUDP are the UDP flows that a sync has made stale.
type StaleUDP struct {
	DeletedEndpoints []DeletedEndpoint `json:"deletedEndpoints"`
	GainedEndpoints  []string          `json:"gainedEndpoints"`
}

// DeletedEndpoint is an endpoint that no longer serves a UDP port.
type DeletedEndpoint struct {
	Endpoint    string `json:"endpoint"`
	ServicePort string `json:"servicePort"`
}
