// Package workqueue runs sequences of calls on client-go's work queue, in
// virtual time, and records its answers.
package workqueue

import (
	"encoding/json"
	"math/rand/v2"
	"time"
)

// Case is a sequence of calls on one queue.
type Case struct {
	Limits Limits `json:"limits"`
	Steps  []Step `json:"steps"`
}

// Limits are those of the rate limiter; times in nanoseconds.
type Limits struct {
	First     time.Duration `json:"first"`
	Longest   time.Duration `json:"longest"`
	PerSecond int           `json:"perSecond"`
	Burst     int           `json:"burst"`
}

// Step is one call, and the queue's answer.
type Step struct {
	// At is in nanoseconds since the start.
	At   time.Duration `json:"at"`
	Call string        `json:"call"`
	Item string        `json:"item,omitempty"`
	// After is the delay of addAfter, in nanoseconds.
	After time.Duration `json:"after,omitempty"`
	// Got is the item that get takes; empty if there is none.
	Got string `json:"got,omitempty"`
	// Delay is that of addRateLimited, in nanoseconds.
	Delay time.Duration `json:"delay,omitempty"`
	// Retries are those of the item after the call.
	Retries int `json:"retries,omitempty"`
	// Ready is the number of items ready after the call.
	Ready int `json:"ready,omitempty"`
}

// Seed and Count are those of the file that slicewise is tested with.
const (
	Seed  = 1
	Count = 50
)

// controllerLimits are those of the EndpointSlice controller's queue.
var controllerLimits = Limits{First: time.Second, Longest: 1000 * time.Second, PerSecond: 10, Burst: 100}

func generate(random *rand.Rand) Case {
	c := Case{Limits: controllerLimits}
	// A small bucket, so that it runs dry.
	if random.IntN(3) > 0 {
		c.Limits.Burst = 1 + random.IntN(3)
		c.Limits.PerSecond = 1 + random.IntN(3)
		c.Limits.First = time.Duration(1 + random.IntN(int(300*time.Millisecond)))
		c.Limits.Longest = c.Limits.First * time.Duration(1+random.IntN(9))
	}
	var at time.Duration
	for range 40 + random.IntN(40) {
		// No two calls at one time: among items due at one time, client-go's heap takes any first.
		at += time.Duration(1 + random.IntN(int(200*time.Millisecond)))
		if random.IntN(12) == 0 {
			at += time.Duration(random.IntN(int(20 * time.Second)))
		}
		step := Step{At: at, Item: string(rune('a' + random.IntN(6)))}
		switch random.IntN(12) {
		case 0, 1:
			step.Call = "add"
		case 2, 3:
			step.Call = "addAfter"
			step.After = time.Duration(random.IntN(int(4*time.Second))) - 100*time.Millisecond
		case 4, 5:
			step.Call = "addRateLimited"
		case 6:
			step.Call = "forget"
		case 7, 8, 9:
			step.Call, step.Item = "get", ""
		default:
			// For whichever item is being processed at that time.
			step.Call, step.Item = "done", ""
		}
		c.Steps = append(c.Steps, step)
	}
	return c
}

// Marshal writes cases, one per line.
func Marshal(cases []Case) ([]byte, error) {
	text := []byte("[\n")
	for number, c := range cases {
		line, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		text = append(text, line...)
		if number < len(cases)-1 {
			text = append(text, ',')
		}
		text = append(text, '\n')
	}
	return append(text, "]\n"...), nil
}
