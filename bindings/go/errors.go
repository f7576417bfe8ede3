package slicewise

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Error is what is wrong with an input, where, and how to mend it.
type Error struct {
	// Code is stable, such as "MissingField"; docs/plan.md lists all.
	Code string `json:"code"`
	// Message says how to mend the input.
	Message string `json:"message"`
	// Path is a JSON pointer into the input; empty if the error is about all
	// of it.
	Path string `json:"path,omitempty"`
	// Line and Column are positions in the text of the input, from 1; 0 if
	// there is none.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
}

// Error implements error.
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("slicewise: %s (%s)", e.Message, e.Code)
	}
	return fmt.Sprintf("slicewise: %s: %s (%s)", e.Path, e.Message, e.Code)
}

// TrapError says that the module ended abruptly. The reason is almost always
// the limit of its memory; its instance is not used again.
type TrapError struct {
	// Function is what was called.
	Function string
	// MemoryBytes is what the instance had.
	MemoryBytes uint32
	cause       error
}

// Error implements error.
func (e *TrapError) Error() string {
	return fmt.Sprintf("slicewise: %s ended abruptly, with %d KiB of memory; allow more with WithMemoryLimitPages, or pass less: %v",
		e.Function, e.MemoryBytes>>10, e.cause)
}

// Unwrap returns the error of wazero.
func (e *TrapError) Unwrap() error { return e.cause }

// tag begins the answers that are errors, and no other.
var tag = []byte(`{"error":`)

// failure is the error that an answer is, if it is one.
func failure(answer []byte) error {
	if !bytes.HasPrefix(answer, tag) {
		return nil
	}
	var told struct {
		Error *Error `json:"error"`
	}
	if err := json.Unmarshal(answer, &told); err != nil {
		return fmt.Errorf("slicewise: read the error %q: %w", answer, err)
	}
	return told.Error
}
