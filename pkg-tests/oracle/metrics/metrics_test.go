package metrics

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"slicewise/oracle/release"
)

const folder = "../../differential"

func read(t *testing.T) []*History {
	t.Helper()
	histories, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return histories
}

// The file that slicewise is tested with matches the reference's current answers
// to the same requests.
func TestFileIsTheReferences(t *testing.T) {
	have, err := os.ReadFile(release.Golden(folder, Name))
	if err != nil {
		t.Fatal(err)
	}
	want, err := Text(folder)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Fatal("the answers are stale: go run ./cmd/metrics ../differential")
	}
}

// Everything that changes a metric occurs in the histories.
func TestHistoriesReachAll(t *testing.T) {
	histories := read(t)
	counts := map[string]int{}
	for _, history := range histories {
		for _, step := range history.Steps {
			counts[step.Result]++
			if r := step.Refuse; r != nil && step.Result == "error" {
				counts["refused "+r.Verb]++
			}
			if service := step.Service; service == nil {
				counts["deleted"]++
			} else if service.DeletionTimestamp != nil {
				counts["going away"]++
			} else if len(service.Spec.IPFamilies) > 1 {
				counts["two families"]++
			}
		}
		for line := range strings.Lines(history.Text) {
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "endpoint_slice_controller_"), " ")
			if slices.Contains(samples, name) {
				counts[name]++
			}
		}
	}
	wanted := append([]string{"success", "stale", "error", "refused create", "refused update", "refused delete", "deleted", "going away", "two families"}, samples...)
	for _, kind := range wanted {
		if counts[kind] < 1 {
			t.Errorf("%s: never", kind)
		}
	}
}

var samples = []string{
	`changes{operation="create"}`,
	`changes{operation="update"}`,
	`changes{operation="delete"}`,
	`syncs{result="stale"}`,
	`services_count_by_traffic_distribution{traffic_distribution="PreferClose"}`,
	`services_count_by_traffic_distribution{traffic_distribution="PreferSameNode"}`,
	`services_count_by_traffic_distribution{traffic_distribution="PreferSameZone"}`,
	`endpointslices_changed_per_sync_count{topology="Auto",traffic_distribution=""}`,
	`endpointslices_changed_per_sync_count{topology="Disabled",traffic_distribution="PreferSameNode"}`,
	`desired_endpoint_slices`,
	`endpoints_desired`,
	`num_endpoint_slices`,
}

// Random order would matter: with the families the other way round, the gauges
// of some histories differ.
func TestFamiliesMatter(t *testing.T) {
	histories := read(t)
	for _, history := range histories {
		if !strings.HasPrefix(history.Description, "two families") {
			continue
		}
		for range 200 {
			r := history.newRun(true)
			done, err := r.all()
			if err != nil {
				t.Fatal(err)
			}
			if !done {
				return
			}
		}
	}
	t.Fatal("the order of families never mattered")
}
