package differential

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"slicewise/cluster/proxy/generate"
	"slicewise/cluster/proxy/oracle"
)

// Router computes the routes for objects in one go, like `slicewise route`.
type Router interface {
	Route(settings oracle.Settings, objects []byte) ([]byte, error)
}

// Route implements Router.
func (p Process) Route(settings oracle.Settings, objects []byte) ([]byte, error) {
	// With several Services, the family is required; there is no clock.
	settings.Started = ""
	return p.run(append(append([]string{"route"}, settings.Args()...), "-o", "json"), objects)
}

// Route implements Router.
func (Self) Route(settings oracle.Settings, objects []byte) ([]byte, error) {
	var all struct{ Items []json.RawMessage }
	if err := json.Unmarshal(objects, &all); err != nil {
		return nil, err
	}
	routes, err := routesOf(settings, all.Items)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"routes": routes})
}

// JudgeRoute is Judge for the objects at the end of the stream.
func JudgeRoute(r Router, s *generate.Sequence) (*Difference, error) {
	objects, err := last(s)
	if err != nil {
		return nil, err
	}
	settings := s.Settings
	settings.NodeLabels = nil // the Node itself is among the objects, if at all
	text, err := json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": objects})
	if err != nil {
		return nil, err
	}
	routes, err := routesOf(settings, objects)
	if err != nil {
		return nil, err
	}
	answer, err := r.Route(settings, text)
	if err != nil {
		return &Difference{Kind: "route refuses", Line: len(s.Lines), Detail: " " + err.Error()}, nil
	}
	var have, want struct {
		Routes map[string]map[string]any `json:"routes"`
	}
	if err := json.Unmarshal(answer, &have); err != nil {
		return &Difference{Kind: "no JSON", Line: len(s.Lines), Detail: string(answer)}, nil
	}
	for _, route := range have.Routes {
		delete(route, "rules") // the reference has none
	}
	wanted, err := json.Marshal(map[string]any{"routes": routes})
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(wanted, &want); err != nil {
		return nil, err
	}
	if len(want.Routes) == len(have.Routes) && (len(want.Routes) == 0 || reflect.DeepEqual(want, have)) {
		return nil, nil
	}
	return &Difference{"route", len(s.Lines), fmt.Sprintf("\n- %s\n+ %s", compact(want), compact(have))}, nil
}

// routesOf passes all objects and one sync to the reference.
func routesOf(settings oracle.Settings, objects []json.RawMessage) (map[string]oracle.Route, error) {
	reference, err := oracle.New(settings)
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		line, err := json.Marshal(map[string]any{"type": "ADDED", "object": object})
		if err != nil {
			return nil, err
		}
		if _, err := reference.Line(line); err != nil {
			return nil, err
		}
	}
	answer, err := reference.Line([]byte(`{"sync":true}`))
	if err != nil {
		return nil, err
	}
	return *answer.Routes, nil
}

// last are the objects at the end of a stream, in order of arrival. A
// route requires a node, so there is at least one without labels.
func last(s *generate.Sequence) ([]json.RawMessage, error) {
	node, err := json.Marshal(map[string]any{
		"kind": "Node", "apiVersion": "v1", "metadata": map[string]any{"name": s.Settings.Node},
	})
	if err != nil {
		return nil, err
	}
	bare := "Node /" + s.Settings.Node
	order := []string{bare}
	found := map[string]json.RawMessage{bare: node}
	for _, line := range s.Lines {
		var event struct {
			Type   string
			Object json.RawMessage
		}
		var head struct {
			Kind     string
			Metadata struct{ Namespace, Name string }
		}
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, err
		}
		if event.Object == nil {
			continue
		}
		if err := json.Unmarshal(event.Object, &head); err != nil {
			return nil, err
		}
		name := head.Kind + " " + head.Metadata.Namespace + "/" + head.Metadata.Name
		order = slices.DeleteFunc(order, func(each string) bool { return each == name })
		if event.Type != "DELETED" {
			order = append(order, name)
			found[name] = event.Object
		} else if name == bare {
			order = append(order, name)
			found[name] = node
		}
	}
	objects := []json.RawMessage{}
	for _, name := range order {
		objects = append(objects, found[name])
	}
	return objects, nil
}
