package conformance

import "reflect"

// tries is how often a question is put whose answer may depend on the order of
// slices: the rarer of two orders comes once in eight times or more often.
const tries = 60

// Repeatedly is the answer of a reader that may take an address of several
// slices from any one of them: where there is such an address, it is asked again
// and again, and answers that differ vary for the given reason.
func Repeatedly(vector *Vector, reason string, once func() (Answer, error)) (Answer, error) {
	first, err := once()
	if err != nil {
		return Answer{}, err
	}
	repeats, err := vector.repeats()
	if err != nil || !repeats {
		return first, err
	}
	for range tries {
		again, err := once()
		if err != nil {
			return Answer{}, err
		}
		if !reflect.DeepEqual(first, again) {
			return Answer{Varies: reason}, nil
		}
	}
	return first, nil
}

// repeats reports whether an address is in several slices.
func (v *Vector) repeats() (bool, error) {
	all, err := DecodeAll[struct {
		Endpoints []struct {
			Addresses []string `json:"addresses"`
		} `json:"endpoints"`
	}](v.Slices)
	if err != nil {
		return false, err
	}
	in := map[string]int{}
	for number, slice := range all {
		for _, endpoint := range slice.Endpoints {
			for _, address := range endpoint.Addresses {
				if other, known := in[address]; known && other != number {
					return true, nil
				}
				in[address] = number
			}
		}
	}
	return false, nil
}
