package compare

// shareRuns is after how many runs the sharing of too few hints is judged by
// its bounds. Redistribution draws the receiving zone anew for each endpoint;
// when fewer endpoints can be given away than zones need, every way to share
// them is possible, and most ways are far too rare to be met.
const shareRuns = 400

// ceilings is the most that each zone was seen to receive, by address type,
// among the runs that gave away what ours gives away.
type ceilings map[string]map[string]int

func (c ceilings) note(theirs *Normal, parts, ours map[string]string) {
	for addressType, part := range theirs.Types {
		if part.Hints == nil || parts[addressType] != ours[addressType] {
			continue
		}
		if c[addressType] == nil {
			c[addressType] = map[string]int{}
		}
		for zone, count := range part.Hints.Received {
			c[addressType][zone] = max(c[addressType][zone], count)
		}
	}
}

// share accepts what our zones receive if no zone receives more than it did in
// some run. The total is settled already, being what is given.
func (m *matcher) share() {
	for addressType, part := range m.ours.Types {
		if part.Hints != nil && m.seen[addressType] && m.most.allow(addressType, part.Hints.Received) {
			m.seen[received(addressType)] = true
		}
	}
}

func (c ceilings) allow(addressType string, ours map[string]int) bool {
	for zone, count := range ours {
		if count > c[addressType][zone] {
			return false
		}
	}
	return true
}
