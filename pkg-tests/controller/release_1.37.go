//go:build !kubernetes1.38

package controller

// Version is the release that the harness is built from.
const Version = "1.37"
