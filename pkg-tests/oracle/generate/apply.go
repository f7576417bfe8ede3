package generate

import (
	"encoding/json"
	"fmt"
)

// Apply changes the scene's slices as the API server would for a plan:
// creates get a name, a uid and a version, updates a new version.
func (s *Scene) Apply(answer []byte) error {
	var made struct {
		Create []Object        `json:"create"`
		Update []Object        `json:"update"`
		Delete []Object        `json:"delete"`
		State  json.RawMessage `json:"state"`
	}
	if err := json.Unmarshal(answer, &made); err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	for _, gone := range made.Delete {
		s.replace(gone["name"], nil)
	}
	for _, slice := range made.Update {
		s.bump(slice)
		s.replace(meta(slice)["name"], slice)
	}
	for _, slice := range made.Create {
		m := meta(slice)
		m["name"] = s.id(fmt.Sprint(m["generateName"]))
		m["uid"] = fmt.Sprintf("uid-of-slice-%d", s.names)
		m["creationTimestamp"] = "2026-01-01T00:00:02Z"
		m["generation"] = 1
		s.bump(slice)
		s.Slices = append(s.Slices, slice)
	}
	s.State = made.State
	return nil
}

func (s *Scene) bump(slice Object) {
	m := meta(slice)
	s.names++
	m["resourceVersion"] = fmt.Sprint(1000 + s.names)
	if generation, ok := m["generation"].(float64); ok {
		m["generation"] = generation + 1
	}
}

// replace replaces a slice of the Service's namespace with another object, or
// removes it.
func (s *Scene) replace(name any, with Object) {
	for i, slice := range s.Slices {
		if m := meta(slice); m["name"] != name || m["namespace"] != meta(s.Service)["namespace"] {
			continue
		}
		if with == nil {
			s.Slices = append(s.Slices[:i:i], s.Slices[i+1:]...)
		} else {
			s.Slices[i] = with
		}
		return
	}
}
