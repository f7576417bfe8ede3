package controller

import "encoding/json"

// Script is the history of a cluster, in the lines of `slicewise simulate`,
// and the reaction of the reference's controller.
type Script struct {
	Config   Config   `json:"config"`
	Lines    []Line   `json:"lines"`
	Expected Expected `json:"expected"`
	// own are the slices of each Service that the controller manages.
	own map[string][]string
}

// Config is the first line. Times in milliseconds are written as durations.
type Config struct {
	BatchPeriod  string `json:"endpointUpdatesBatchPeriod"`
	WatchLag     string `json:"watchLag"`
	MaxEndpoints int32  `json:"maxEndpointsPerSlice"`
	// Kubernetes is the version that decides, if it is not the default one.
	Kubernetes string `json:"kubernetes,omitempty"`
}

// Line is one thing that happens.
type Line struct {
	At     int64   `json:"at"`
	Event  *Event  `json:"event,omitempty"`
	Refuse *Refuse `json:"refuse,omitempty"`
	// Resync is when informers report all objects again: at ResyncAt only.
	Resync bool `json:"resync,omitempty"`
}

// Event is a change of an object, whose kind identifies its type.
type Event struct {
	Type   string         `json:"type"`
	Object map[string]any `json:"object"`
}

// Refuse makes the API server refuse this many writes.
type Refuse struct {
	Error string `json:"error"`
	Times int    `json:"times"`
}

// Expected is what the reference did.
type Expected struct {
	// Syncs are `time service result`, by time, then service.
	Syncs []string `json:"syncs"`
	// Messages are those of the events it published, once each, sorted.
	Messages []string `json:"messages"`
	// Slices are `service family generation endpoint… hint…`, sorted; or, where
	// slices are full with fewer than 100 endpoints, `service family endpoint…`:
	// which of them share a slice is random.
	Slices []string `json:"slices"`
}

// defaultVersion is the one that decides if none is asked for.
const defaultVersion = "1.37"

// ResyncAt is when informers resync, in milliseconds: in the middle of a long
// pause, and away from every time at which anything else may happen.
const ResyncAt = 20_000_499

// usualMax is the maximum size of slices, unless the script sets another.
const usualMax = 100

func (s *Script) resyncs() bool {
	for _, line := range s.Lines {
		if line.Resync {
			return true
		}
	}
	return false
}

// Marshal writes scripts, one per line.
func Marshal(scripts []Script) ([]byte, error) {
	text := []byte("[\n")
	for number, script := range scripts {
		line, err := json.Marshal(script)
		if err != nil {
			return nil, err
		}
		text = append(text, line...)
		if number < len(scripts)-1 {
			text = append(text, ',')
		}
		text = append(text, '\n')
	}
	return append(text, "]\n"...), nil
}
