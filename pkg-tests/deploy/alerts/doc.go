// Package alerts tries the alerts of the chart on series.
package alerts
