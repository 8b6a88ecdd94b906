package runner

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"
)

//go:embed report.html
var reportText string

var reportPage = template.Must(template.New("report").Funcs(template.FuncMap{
	"words": func(s Status) string { return words[s] },
	"class": func(s Status) string { return strings.ReplaceAll(string(s), " ", "") },
	"took":  took,
	"join":  strings.Join,
}).Parse(reportText))

type (
	page struct {
		*Report
		Other   *Report // the run it is compared with, nil for none
		Same    bool    // Other is an earlier run of the same driver
		Counts  Counts
		Parts   []part
		Areas   []*area
		Bad     []*Result
		Changes []Change
		Lacking []lack
		Slowest []barred
		Puzzles []*Result // skips that nothing explains
		LeftOut []*Result
	}
	// part is a piece of a stacked bar.
	part struct {
		Status  Status
		N       int
		Percent float64
	}
	area struct {
		Name string
		Rows []*row
		total
	}
	// row is a run of an entry.
	row struct {
		Title   string
		Results []barred
		total
	}
	total struct {
		Counts  Counts
		Seconds float64
		Parts   []part
		Percent float64 // of the longest row
		Other   *total  // of the run it is compared with
	}
	barred struct {
		*Result
		Percent float64
	}
	lack struct {
		Features string
		Tests    []string
	}
)

// HTML writes the report as one page that needs nothing else. other is a run to compare with, or nil.
func (r *Report) HTML(w io.Writer, other *Report) error {
	p := page{Report: r, Other: other, Counts: r.Count()}
	p.Parts = parts(p.Counts)
	p.fillAreas()
	if other != nil {
		p.Same = other.Info.ICD == r.Info.ICD && other.Info.Index == r.Info.Index
		p.Changes = Changes(other, r)
	}
	lacking := map[string][]string{}
	for i := range r.Results {
		res := &r.Results[i]
		switch {
		case res.Status.Bad():
			p.Bad = append(p.Bad, res)
		case res.Unexplained():
			p.Puzzles = append(p.Puzzles, res)
		case res.Status == Skip:
			key := strings.Join(res.Lacks, ", ")
			lacking[key] = append(lacking[key], res.ID())
		case res.Status == LeftOut:
			p.LeftOut = append(p.LeftOut, res)
		}
	}
	for features, tests := range lacking {
		p.Lacking = append(p.Lacking, lack{features, tests})
	}
	slices.SortFunc(p.Lacking, func(a, b lack) int {
		return 1000*(len(b.Tests)-len(a.Tests)) + strings.Compare(a.Features, b.Features)
	})
	p.Slowest = slowest(r.Results, 15)
	return reportPage.Execute(w, p)
}

// fillAreas groups the results by area and run of an entry, in the order in which areas and entries first came up.
func (p *page) fillAreas() {
	areas, rows := map[string]*area{}, map[string]*row{}
	for i := range p.Results {
		r := &p.Results[i]
		if r.Status == LeftOut && r.Test == "" {
			continue // a whole entry: listed with its reason
		}
		a := areas[r.Area]
		if a == nil {
			a = &area{Name: r.Area, total: total{Counts: Counts{}}}
			areas[r.Area] = a
			p.Areas = append(p.Areas, a)
		}
		x := rows[r.Title()]
		if x == nil {
			x = &row{Title: r.Title(), total: total{Counts: Counts{}}}
			rows[r.Title()] = x
			a.Rows = append(a.Rows, x)
		}
		x.Results = append(x.Results, barred{Result: r})
		x.add(r)
		a.add(r)
	}
	if p.Other != nil {
		for i := range p.Other.Results {
			r := &p.Other.Results[i]
			if x := rows[r.Title()]; x != nil {
				x.other().add(r)
				areas[r.Area].other().add(r)
			}
		}
	}
	slices.SortFunc(p.Areas, func(a, b *area) int { return strings.Compare(a.Name, b.Name) })
	longest := 0.0
	for _, x := range rows {
		longest = max(longest, x.Seconds)
	}
	for _, a := range p.Areas {
		a.Parts = parts(a.Counts)
		slices.SortFunc(a.Rows, func(x, y *row) int { return strings.Compare(x.Title, y.Title) })
		for _, x := range a.Rows {
			x.Parts = parts(x.Counts)
			x.Percent = percent(x.Seconds, longest)
			bars(x.Results)
		}
	}
}

func (t *total) add(r *Result) {
	t.Counts[r.Status]++
	t.Seconds += r.Seconds
}

func (t *total) other() *total {
	if t.Other == nil {
		t.Other = &total{Counts: Counts{}}
	}
	return t.Other
}

// Passed, Failed, Skipped are columns of the table.
func (t *total) Passed() int  { return t.Counts[Pass] }
func (t *total) Failed() int  { return t.Counts.Bad() }
func (t *total) Skipped() int { return t.Counts[Skip] + t.Counts[LeftOut] }

// parts are the pieces of a bar that shows c.
func parts(c Counts) []part {
	var ps []part
	for _, s := range statuses {
		if c[s] > 0 {
			ps = append(ps, part{s, c[s], percent(float64(c[s]), float64(c.Total()))})
		}
	}
	return ps
}

func percent(x, of float64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * x / of
}

// bars scales the bars of the times of some results to the longest of them.
func bars(rs []barred) {
	longest := 0.0
	for _, r := range rs {
		longest = max(longest, r.Seconds)
	}
	for i := range rs {
		rs[i].Percent = percent(rs[i].Seconds, longest)
	}
}

// slowest are the n results that took longest.
func slowest(results []Result, n int) []barred {
	var rs []barred
	for i := range results {
		if results[i].Seconds > 0.05 {
			rs = append(rs, barred{Result: &results[i]})
		}
	}
	slices.SortStableFunc(rs, func(a, b barred) int {
		switch {
		case a.Seconds > b.Seconds:
			return -1
		case a.Seconds < b.Seconds:
			return 1
		}
		return 0
	})
	rs = rs[:min(n, len(rs))]
	bars(rs)
	return rs
}

// took is a time in words, as short as it is useful.
func took(seconds float64) string {
	switch {
	case seconds == 0:
		return ""
	case seconds < 0.01:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	case seconds < 10:
		return fmt.Sprintf("%.2f s", seconds)
	case seconds < 60:
		return fmt.Sprintf("%.1f s", seconds)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// Seconds is how long the run took.
func (i *Info) Seconds() float64 { return i.Time.Seconds() }
