package runner

import (
	"encoding/xml"
	"io"
	"strings"
	"unicode"
)

// The form that continuous-integration servers read.
type (
	junitSuites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Suites   []*junitSuite
	}
	junitSuite struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Time     float64  `xml:"time,attr"`
		Cases    []junitCase
	}
	junitCase struct {
		XMLName xml.Name  `xml:"testcase"`
		Class   string    `xml:"classname,attr"`
		Name    string    `xml:"name,attr"`
		Time    float64   `xml:"time,attr"`
		Failure *junitWhy `xml:"failure"`
		Error   *junitWhy `xml:"error"`
		Skipped *junitWhy `xml:"skipped"`
	}
	junitWhy struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the report as JUnit XML: a suite for each run of an entry; what failed is a failure, what crashed, hung or was
// not run an error.
func (r *Report) JUnit(w io.Writer) error {
	all := junitSuites{Name: r.Info.Device.Platform}
	suites := map[string]*junitSuite{}
	for i := range r.Results {
		res := &r.Results[i]
		s := suites[res.Title()]
		if s == nil {
			s = &junitSuite{Name: res.Title()}
			suites[res.Title()] = s
			all.Suites = append(all.Suites, s)
		}
		c := junitCase{Class: res.Title(), Name: res.Test, Time: res.Seconds}
		if c.Name == "" {
			c.Name = res.Entry
		}
		why := &junitWhy{printable(res.Why), printable(strings.Join(res.Tail, "\n"))}
		switch res.Status {
		case Fail:
			c.Failure = why
			s.Failures++
			all.Failures++
		case Crash, Timeout, NotRun:
			why.Message = printable(words[res.Status] + ": " + res.Why)
			c.Error = why
			s.Errors++
			all.Errors++
		case Skip, LeftOut:
			c.Skipped = why
			s.Skipped++
			all.Skipped++
		}
		s.Tests++
		all.Tests++
		s.Time += res.Seconds
		s.Cases = append(s.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	return e.Encode(all)
}

// printable leaves away what XML cannot hold.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}
