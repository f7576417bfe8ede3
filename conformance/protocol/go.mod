module slicewise/conformance

go 1.26.0
