// Empty: with it, Go takes functions without a body, which go:linkname needs.
