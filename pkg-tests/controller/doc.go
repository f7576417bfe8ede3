// Package controller runs the reference's EndpointSlice controller, as it is,
// through scripts in virtual time, and keeps what it did.
package controller
