// Package controller runs the reference's EndpointSlice controller, unchanged,
// through scripts in virtual time, and records what it does.
package controller
