// Package migration compares slicewise with the reference where no pods are
// involved: Endpoints mirrored to EndpointSlices, and the API servers' own
// Service. The reference is driven only through its exported functions.
//
//	go test . -slicewise ../../../target/release/slicewise -seed 1 -cases 2000
//	go test . -slicewise … -seed 1 -case 17           repeats one case
package migration
