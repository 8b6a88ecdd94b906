package trace

import (
	"bytes"
	_ "embed" // for the page
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aqueduct/filelimit"
)

// pageText is the page of a report, but for what was recorded.
//
//go:embed page.html
var pageText string

// pageData is where that goes in it.
const pageData = "/*DATA*/null"

type (
	pageLane struct {
		Group  string  `json:"group"`
		Name   string  `json:"name"`
		Slices []int64 `json:"slices"` // name, start and length in nanoseconds, over and over
	}
	pageTable struct {
		Title string     `json:"title"`
		Head  []string   `json:"head"`
		Rows  [][]string `json:"rows"`
	}
	pageCount struct {
		Name   string  `json:"name"`
		Values []int64 `json:"values"` // time in nanoseconds and value, over and over
	}
	page struct {
		Program string      `json:"program"`
		Summary string      `json:"summary"`
		Length  int64       `json:"length"` // nanoseconds
		Dropped uint64      `json:"dropped"`
		Names   []string    `json:"names"`
		Lanes   []pageLane  `json:"lanes"`
		Counts  []pageCount `json:"counts"`
		Tables  []pageTable `json:"tables"`
		Advice  []string    `json:"advice"`
	}
)

// writePage writes a page that shows what was recorded and needs nothing else. r.mu is held.
func (r *recorder) writePage(name string) error {
	now := nanotime()
	p := page{Length: now - r.tally.origin, Dropped: r.layout.picture.dropped, Advice: r.tally.advice(), Tables: r.tally.tables()}
	if exe, err := os.Executable(); err == nil {
		p.Program = filepath.Base(exe)
	}
	var b bytes.Buffer
	r.tally.summary(&b, now)
	p.Summary, _, _ = strings.Cut(strings.TrimPrefix(b.String(), "aqueduct: "), "\n")
	p.draw(r.layout.picture, r.tally.origin)
	data, err := json.Marshal(&p) // which writes <, > and & so that they end no script
	if err != nil {
		return err
	}
	return filelimit.Guard(func() error {
		return os.WriteFile(processName(name), []byte(strings.Replace(pageText, pageData, string(data), 1)), 0o644)
	})
}

// draw puts the slices of a picture in lanes, and its counters.
func (p *page) draw(from *picture, origin int64) {
	names := map[string]int64{}
	lanes := map[[3]uint64]*pageLane{}
	var order [][3]uint64
	for _, list := range [][]slice{from.first, from.last} {
		for i := range list {
			s := &list[i]
			n, ok := names[s.name]
			if !ok {
				n = int64(len(p.Names))
				names[s.name] = n
				p.Names = append(p.Names, s.name)
			}
			key := [3]uint64{uint64(s.group), uint64(s.track), uint64(s.lane)}
			l := lanes[key]
			if l == nil {
				l = &pageLane{Group: groupNames[s.group], Name: s.label()}
				lanes[key] = l
				order = append(order, key)
			}
			l.Slices = append(l.Slices, n, s.start-origin, s.end-s.start)
		}
	}
	slices.SortFunc(order, func(a, b [3]uint64) int { return slices.Compare(a[:], b[:]) })
	for _, key := range order {
		p.Lanes = append(p.Lanes, *lanes[key])
	}
	counts := map[string]int{}
	for _, c := range from.counts {
		i, ok := counts[c.name]
		if !ok {
			i = len(p.Counts)
			counts[c.name] = i
			p.Counts = append(p.Counts, pageCount{Name: c.name})
		}
		p.Counts[i].Values = append(p.Counts[i].Values, c.at-origin, c.value)
	}
}
