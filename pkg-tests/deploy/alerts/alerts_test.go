// Package alerts tries the alerts of the chart on series.
package alerts

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"
	"sigs.k8s.io/yaml"
)

// alerts are those of the chart; each is evaluated every 30 s over series of
// two hours.
const (
	alerts   = "../../../webhook/deploy/helm/slicewise-webhook/files/alerts.yaml"
	interval = 30 * time.Second
)

// A course of series, as promtool reads them, and the alerts that fire at
// some time: what is shorter than an alert's `for` is none.
var courses = []struct {
	name, series string
	fires        []string
}{
	{"a webhook that is well", `
		slicewise_webhook_ready{pod="a"} 1x240
		slicewise_webhook_ready{pod="b"} 1x240
		slicewise_webhook_reviewer_up{pod="a"} 1x240
		slicewise_webhook_context_synced{pod="a"} 1x240
		slicewise_webhook_context_age_seconds{pod="a"} 10x240
		slicewise_webhook_certificate_expiry_timestamp_seconds{pod="a"} 8640000x240
		slicewise_webhook_reviews_total{verdict="allow"} 0+30x240
		slicewise_webhook_reviews_total{verdict="deny"} 0+10x240
		slicewise_webhook_http_responses_total{code="200"} 0+40x240
		slicewise_webhook_http_responses_total{code="401"} 0x240
		slicewise_webhook_http_responses_total{code="429"} 0x240
		slicewise_webhook_http_responses_total{code="500"} 0x240
		slicewise_webhook_unjudged_reviews_total{reason="timeout"} 0x240
		slicewise_webhook_reloads_total{what="config",result="refused"} 0x240
		slicewise_webhook_review_duration_seconds_bucket{le="0.01"} 0+40x240
		slicewise_webhook_review_duration_seconds_bucket{le="0.25"} 0+40x240
		slicewise_webhook_review_duration_seconds_bucket{le="+Inf"} 0+40x240
		apiserver_admission_webhook_fail_open_count{name="WEBHOOKS"} 0x240
		apiserver_admission_webhook_fail_open_count{name="other"} 0+1x240
		apiserver_admission_webhook_rejection_count{name="WEBHOOKS",error_type="no_error"} 0+10x240`, nil},
	{"nothing is there", `up 0x240`, []string{"SlicewiseWebhookDown"}},
	{"one of two replicas is not ready", `
		slicewise_webhook_ready{pod="a"} 1x240
		slicewise_webhook_ready{pod="b"} 0x240`, nil},
	{"a rollout", `slicewise_webhook_ready{pod="a"} 1x60 0x2 1x180`, nil},
	{"no replica is ready", `slicewise_webhook_ready{pod="a"} 1x60 0x10 1x180`, []string{"SlicewiseWebhookDown"}},
	{"writes pass unseen", ready + `
		apiserver_admission_webhook_fail_open_count{name="WEBHOOKS"} 0x60 1x180`, []string{"SlicewiseWebhookFailsOpen"}},
	{"writes are refused unseen", ready + `
		apiserver_admission_webhook_rejection_count{name="WEBHOOKS",error_type="calling_webhook_error"} 0x60 3x180`, []string{"SlicewiseWebhookRefusesUnseen"}},
	{"slow reviews", ready + `
		slicewise_webhook_review_duration_seconds_bucket{le="0.25"} 0+10x240
		slicewise_webhook_review_duration_seconds_bucket{le="1"} 0+40x240
		slicewise_webhook_review_duration_seconds_bucket{le="+Inf"} 0+40x240`, []string{"SlicewiseWebhookSlow"}},
	{"slow reviews for a moment", ready + `
		slicewise_webhook_review_duration_seconds_bucket{le="0.25"} 0x60 10x180
		slicewise_webhook_review_duration_seconds_bucket{le="+Inf"} 0x60 40x180`, nil},
	{"too many reviews", ready + `
		slicewise_webhook_http_responses_total{code="429"} 0x60 0+5x180`, []string{"SlicewiseWebhookBusy"}},
	{"a burst of reviews", ready + `
		slicewise_webhook_http_responses_total{code="503"} 0x60 5x180`, nil},
	{"an internal error", ready + `
		slicewise_webhook_http_responses_total{code="500"} 0x60 1x180`, []string{"SlicewiseWebhookErrors"}},
	{"a review without a verdict", ready + `
		slicewise_webhook_unjudged_reviews_total{reason="timeout"} 0x60 1x180`, []string{"SlicewiseWebhookUnjudged"}},
	{"a reviewer that does not start", ready + `
		slicewise_webhook_reviewer_up{pod="a"} 1x60 0x180`, []string{"SlicewiseWebhookReviewerDown"}},
	{"a reviewer that is replaced", ready + `
		slicewise_webhook_reviewer_up{pod="a"} 1x60 0x1 1x180`, nil},
	{"a watch that is lost", ready + `
		slicewise_webhook_context_age_seconds{pod="a"} 10x60 10+30x180`, []string{"SlicewiseWebhookStale"}},
	{"a kind that is not known", ready + `
		slicewise_webhook_context_synced{pod="a"} 0x240`, []string{"SlicewiseWebhookStale"}},
	{"a certificate of five days", ready + `
		slicewise_webhook_certificate_expiry_timestamp_seconds{pod="a"} 432000x240`, []string{"SlicewiseWebhookCertificateEnds"}},
	{"a stranger", ready + `
		slicewise_webhook_http_responses_total{code="401"} 0x60 1x180`, []string{"SlicewiseWebhookStrangers"}},
	{"a configuration that is wrong", ready + `
		slicewise_webhook_reloads_total{what="config",result="refused"} 0x60 1x180`, []string{"SlicewiseWebhookReloadRefused"}},
	{"most is denied", ready + `
		slicewise_webhook_reviews_total{verdict="allow"} 0+10x240
		slicewise_webhook_reviews_total{verdict="deny"} 0+30x240`, []string{"SlicewiseWebhookDeniesMuch"}},
}

const ready = `
		slicewise_webhook_ready{pod="a"} 1x240`

func TestAlertsFireWhenTheyShould(t *testing.T) {
	all := readAlerts(t)
	var fired []string
	for _, course := range courses {
		t.Run(course.name, func(t *testing.T) {
			found := firing(t, all, seriesOf(t, course.series))
			if !slices.Equal(found, course.fires) {
				t.Errorf("%v fire, expected %v", found, course.fires)
			}
			fired = append(fired, found...)
		})
	}
	for _, rule := range all {
		if !slices.Contains(fired, rule.Alert) {
			t.Errorf("no course lets %s fire", rule.Alert)
		}
	}
}

type alert struct {
	Alert string
	Expr  string
	For   string
}

func readAlerts(t *testing.T) []alert {
	t.Helper()
	text, err := os.ReadFile(alerts)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Groups []struct{ Rules []alert } }
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Groups) != 1 || len(file.Groups[0].Rules) == 0 {
		t.Fatalf("no alerts: %v", file)
	}
	return file.Groups[0].Rules
}

// firing returns the names of the alerts that fire at some time, in the order
// of the file.
func firing(t *testing.T, all []alert, store storage.Queryable) []string {
	t.Helper()
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 100_000, Timeout: time.Minute})
	var found []string
	for _, each := range all {
		if fires(t, each, store, engine) {
			found = append(found, each.Alert)
		}
	}
	return found
}

// fires tells whether a result of the expression lasts as long as the alert
// wants.
func fires(t *testing.T, of alert, store storage.Queryable, engine *promql.Engine) bool {
	t.Helper()
	var hold time.Duration
	if of.For != "" {
		var err error
		if hold, err = time.ParseDuration(of.For); err != nil {
			t.Fatal(err)
		}
	}
	since := map[string]time.Duration{}
	for at := time.Duration(0); at <= 2*time.Hour; at += interval {
		query, err := engine.NewInstantQuery(t.Context(), store, nil, of.Expr, time.Unix(0, 0).Add(at))
		if err != nil {
			t.Fatal(err)
		}
		results, err := query.Exec(t.Context()).Vector()
		if err != nil {
			t.Fatal(err)
		}
		lasting := map[string]time.Duration{}
		for _, result := range results {
			name := result.Metric.String()
			lasting[name] = at
			if begun, is := since[name]; is {
				lasting[name] = begun
			}
			if at-lasting[name] >= hold {
				query.Close()
				return true
			}
		}
		query.Close()
		since = lasting
	}
	return false
}

// series are those of a test, in memory.
type series []*promql.StorageSeries

// seriesOf reads a series from each line.
func seriesOf(t *testing.T, text string) storage.Queryable {
	t.Helper()
	var all series
	for line := range strings.Lines(strings.TrimSpace(text)) {
		name, values, err := parser.NewParser(parser.Options{}).ParseSeriesDesc(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		var points []promql.FPoint
		for place, value := range values {
			if !value.Omitted {
				points = append(points, promql.FPoint{T: (time.Duration(place) * interval).Milliseconds(), F: value.Value})
			}
		}
		all = append(all, promql.NewStorageSeries(promql.Series{Metric: name, Floats: points}))
	}
	return &storage.MockQueryable{MockQuerier: &storage.MockQuerier{SelectMockFunction: all.find}}
}

func (s series) find(_ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	var found series
	for _, each := range s {
		isOther := func(m *labels.Matcher) bool { return !m.Matches(each.Labels().Get(m.Name)) }
		if !slices.ContainsFunc(matchers, isOther) {
			found = append(found, each)
		}
	}
	return &seriesSet{found, -1}
}

type seriesSet struct {
	all series
	at  int
}

func (s *seriesSet) Next() bool                        { s.at++; return s.at < len(s.all) }
func (s *seriesSet) At() storage.Series                { return s.all[s.at] }
func (s *seriesSet) Err() error                        { return nil }
func (s *seriesSet) Warnings() annotations.Annotations { return nil }
