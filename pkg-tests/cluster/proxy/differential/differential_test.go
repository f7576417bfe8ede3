package differential

import (
	"bytes"
	"testing"

	"slicewise/cluster/proxy/generate"
	"slicewise/cluster/proxy/oracle"
)

// faulty is the reference with an error in its answers.
type faulty struct{ from, to string }

// Answers implements Proxier.
func (f faulty) Answers(s *generate.Sequence) ([][]byte, error) {
	answers, err := Self{}.Answers(s)
	for i, answer := range answers {
		answers[i] = bytes.ReplaceAll(answer, []byte(f.from), []byte(f.to))
	}
	return answers, err
}

func TestTheReferencePasses(t *testing.T) {
	for index := range 300 {
		s := generate.New(5, index)
		if err := oracle.SetGate(s.Settings.Gate()); err != nil {
			t.Fatal(err)
		}
		difference, err := Judge(Self{}, s)
		if err != nil || difference != nil {
			t.Fatalf("sequence %d: %v %v", index, difference, err)
		}
	}
}

func TestFaultsAreFoundAndShrunk(t *testing.T) {
	for kind, fault := range map[string]faulty{
		"updatedServices":      {`"updatedServices":["shop/s1"`, `"updatedServices":["shop/s2"`},
		"triggerTimes":         {`:07.5Z"`, `:07.6Z"`},
		"endpoints":            {`"10.0.0.3:80","ready":true`, `"10.0.0.3:80","ready":false`},
		"routes":               {`"topology":"PreferSameNode"`, `"topology":"PreferSameZone"`},
		"staleUdp":             {`"gainedEndpoints":["shop/s1:dns/UDP"]`, `"gainedEndpoints":[]`},
		"staleConntrack":       {`"staleConntrack":[0]`, `"staleConntrack":[]`},
		"healthCheckNodePorts": {`"healthCheckNodePorts":{"shop/s1":30001}`, `"healthCheckNodePorts":{"shop/s1":1}`},
		"localReadyEndpoints":  {`"localReadyEndpoints":{"shop/s1":1}`, `"localReadyEndpoints":{}`},
		"no JSON":              {`{"updatedServices":[]`, `{`},
	} {
		found := false
		for index := 0; index < 3000 && !found; index++ {
			s := generate.New(6, index)
			if err := oracle.SetGate(s.Settings.Gate()); err != nil {
				t.Fatal(err)
			}
			difference, err := Judge(fault, s)
			if err != nil {
				t.Fatal(err)
			}
			if found = difference != nil; !found {
				continue
			}
			judge := func(s *generate.Sequence) (*Difference, error) { return Judge(fault, s) }
			small := Shrink(judge, s, difference.Kind)
			again, err := Judge(fault, small)
			if err != nil || again == nil || again.Kind != kind {
				t.Errorf("%s: found %v, then %v %v", kind, difference, again, err)
			}
			if size(small) > 900 {
				t.Errorf("%s: not small: %s", kind, small.Lines)
			}
		}
		if !found {
			t.Errorf("%s: not found", kind)
		}
	}
}

func TestAnswersTooManyAndTooFew(t *testing.T) {
	s := generate.New(7, 0)
	if err := oracle.SetGate(s.Settings.Gate()); err != nil {
		t.Fatal(err)
	}
	answers, err := Self{}.Answers(s)
	if err != nil {
		t.Fatal(err)
	}
	for kind, given := range map[string]fixed{
		"no answer":               answers[:len(answers)-1],
		"more answers than syncs": append(answers, answers[0]),
	} {
		difference, err := Judge(given, s)
		if err != nil || difference == nil || difference.Kind != kind {
			t.Errorf("%s: %v %v", kind, difference, err)
		}
	}
}

func TestRoutesOfTheReferencePass(t *testing.T) {
	found := 0
	for index := range 300 {
		s := generate.New(8, index)
		if err := oracle.SetGate(s.Settings.Gate()); err != nil {
			t.Fatal(err)
		}
		if difference, err := JudgeRoute(Self{}, s); err != nil || difference != nil {
			t.Fatalf("sequence %d: %v %v", index, difference, err)
		}
		difference, err := JudgeRoute(wrongRoute{}, s)
		if err != nil {
			t.Fatal(err)
		}
		if difference != nil && difference.Kind == "route" {
			found++
		}
	}
	if found < 30 {
		t.Errorf("a fault is found %d times only", found)
	}
}

// wrongRoute claims that no Service has any endpoints.
type wrongRoute struct{}

// Route implements Router.
func (wrongRoute) Route(settings oracle.Settings, objects []byte) ([]byte, error) {
	answer, err := Self{}.Route(settings, objects)
	return bytes.ReplaceAll(answer, []byte(`"hasAny":true`), []byte(`"hasAny":false`)), err
}

type fixed [][]byte

// Answers implements Proxier.
func (f fixed) Answers(*generate.Sequence) ([][]byte, error) { return f, nil }
