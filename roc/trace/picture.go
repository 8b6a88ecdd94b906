package trace

// picture keeps what the page of a report draws: the first slices of a recording and the last.
type picture struct {
	first, last []slice
	at          int // in last, when that is full: the oldest
	dropped     uint64
	counts      []sampled
}

type sampled struct {
	at    int64
	name  string
	value int64
}

const (
	pictureEach   = 20_000
	pictureCounts = 20_000
)

func (p *picture) add(s *slice) {
	switch {
	case len(p.first) < pictureEach:
		p.first = append(p.first, *s)
	case len(p.last) < pictureEach:
		p.last = append(p.last, *s)
	default:
		p.last[p.at] = *s
		p.at = (p.at + 1) % pictureEach
		p.dropped++
	}
}

func (p *picture) count(now int64, name string, v int64) {
	if len(p.counts) < pictureCounts {
		p.counts = append(p.counts, sampled{now, name, v})
	}
}
