package runner

import "slices"

// Change is a sub-test whose result differs from that of another run. Was or Is is empty if one has no such sub-test.
type Change struct {
	ID      string
	Was, Is Status
	Worse   bool // it was not bad and is, or it passed and no longer does
}

// Changes compares two runs, what is worse first. Of a run that was of some entries only, nothing can be absent.
func Changes(old, now *Report) []Change {
	was := old.byID()
	var changes []Change
	seen := map[string]bool{}
	for _, r := range now.Results {
		id := r.ID()
		seen[id] = true
		before := was[id]
		if before == r.Status || before == "" && (r.Status == LeftOut || old.Info.Partly) {
			continue
		}
		worse := r.Status.Bad() && !before.Bad() || before == Pass
		changes = append(changes, Change{id, before, r.Status, worse})
	}
	for _, r := range old.Results {
		if id := r.ID(); !seen[id] && !now.Info.Partly && r.Status != LeftOut && r.Test != exit {
			changes = append(changes, Change{id, r.Status, "", r.Status == Pass})
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int {
		if a.Worse == b.Worse {
			return 0
		}
		if a.Worse {
			return -1
		}
		return 1
	})
	return changes
}

func (r *Report) byID() map[string]Status {
	m := make(map[string]Status, len(r.Results))
	for i := range r.Results {
		m[r.Results[i].ID()] = r.Results[i].Status
	}
	return m
}
