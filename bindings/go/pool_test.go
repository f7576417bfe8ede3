package slicewise

import (
	"bytes"
	"errors"
	"testing"
)

// Memory never shrinks, so an instance that has much is not kept.
func TestInstancesWithMuchMemoryAreNotKept(t *testing.T) {
	m, err := New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := m.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	if _, err := m.Call(t.Context(), "version", nil); err != nil || len(m.idle) != 1 {
		t.Fatalf("%d idle instances, error %v", len(m.idle), err)
	}
	var failure *Error
	large := bytes.Repeat([]byte(" "), largeMemoryPages<<16)
	if _, err := m.Call(t.Context(), "plan", large); !errors.As(err, &failure) || len(m.idle) != 0 {
		t.Errorf("%d idle instances, error %v", len(m.idle), err)
	}
	if _, err := m.Call(t.Context(), "version", nil); err != nil || len(m.idle) != 1 {
		t.Errorf("%d idle instances, error %v", len(m.idle), err)
	}
}
