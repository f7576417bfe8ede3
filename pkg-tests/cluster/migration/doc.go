// Package migration compares slicewise with the reference where there are no
// pods: Endpoints that are mirrored to EndpointSlices, and the API servers' own
// Service. The reference is driven through its exported doors alone.
//
//	go test . -slicewise ../../../target/release/slicewise -seed 1 -cases 2000
//	go test . -slicewise … -seed 1 -case 17           one case again
package migration
