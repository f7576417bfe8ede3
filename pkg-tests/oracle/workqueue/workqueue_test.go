package workqueue

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
)

const file = "../../differential/workqueue.json"

var update = flag.Bool("update", false, "write the file")

// The file that slicewise is tested with matches client-go's current answers.
// `go test ./workqueue -update` writes it.
func TestFileIsClientGos(t *testing.T) {
	var cases []Case
	for number := range Count {
		c := generate(rand.New(rand.NewPCG(Seed, uint64(number))))
		// In a bubble, time is virtual, and stands still while there is work to do.
		synctest.Test(t, func(*testing.T) { c.ask() })
		cases = append(cases, c)
	}
	want, err := Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Fatalf("%s is stale: go test ./workqueue -update", file)
	}
	checkReach(t, cases)
}

// recorded stores the last wait that the limiter requested.
type recorded struct {
	workqueue.TypedRateLimiter[string]
	delay time.Duration
}

func (r *recorded) When(item string) time.Duration {
	r.delay = r.TypedRateLimiter.When(item)
	return r.delay
}

func (c *Case) ask() {
	limiter := &recorded{TypedRateLimiter: workqueue.NewTypedMaxOfRateLimiter(
		workqueue.NewTypedItemExponentialFailureRateLimiter[string](c.Limits.First, c.Limits.Longest),
		&workqueue.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(rate.Limit(c.Limits.PerSecond), c.Limits.Burst)},
	)}
	queue := workqueue.NewTypedRateLimitingQueue[string](limiter)
	defer queue.ShutDown()
	start := time.Now()
	var working []string
	for number := range c.Steps {
		step := &c.Steps[number]
		time.Sleep(step.At - time.Since(start))
		synctest.Wait()
		switch step.Call {
		case "add":
			queue.Add(step.Item)
		case "addAfter":
			queue.AddAfter(step.Item, step.After)
		case "addRateLimited":
			queue.AddRateLimited(step.Item)
			step.Delay = limiter.delay
		case "forget":
			queue.Forget(step.Item)
		case "get":
			if queue.Len() > 0 {
				step.Got, _ = queue.Get()
				working = append(working, step.Got)
			}
		case "done":
			// It is only called for items being processed.
			if len(working) > 0 {
				step.Item, working = working[0], working[1:]
				queue.Done(step.Item)
			}
		}
		synctest.Wait()
		step.Retries = queue.NumRequeues(step.Item)
		step.Ready = queue.Len()
	}
}

// checkReach fails if the cases do not cover what they are for.
func checkReach(t *testing.T, cases []Case) {
	counts := map[string]int{}
	for _, c := range cases {
		working := map[string]bool{}
		for _, step := range c.Steps {
			counts[step.Call]++
			switch {
			case step.Got != "":
				counts["taken"]++
				working[step.Got] = true
			case step.Call == "add" && working[step.Item]:
				counts["added while worked on"]++
			case step.Call == "done":
				delete(working, step.Item)
			case step.Delay > c.Limits.Longest:
				counts["waits for the bucket"]++
			case step.Delay == c.Limits.Longest:
				counts["waits the longest"]++
			}
		}
	}
	for _, kind := range []string{"add", "addAfter", "addRateLimited", "forget", "get", "done", "taken", "added while worked on", "waits for the bucket", "waits the longest"} {
		if counts[kind] < 20 {
			t.Errorf("%s: %d times only", kind, counts[kind])
		}
	}
}
