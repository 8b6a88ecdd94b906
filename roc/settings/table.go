package settings

import (
	"fmt"
	"strings"
)

//go:generate go run ./gen ../../README.md ../../vendors/deb/aqueduct-doctor.1

// language is what a text with the table in it is written in: how it marks the place, and how it writes a setting.
type language struct {
	start, head, end string
	row              func(s *Setting) string
}

var (
	markdown = language{
		"<!-- settings: go generate ./roc/settings -->\n", "| Variable | Default | Meaning |\n|---|---|---|\n", "<!-- end of settings -->\n",
		func(s *Setting) string {
			return fmt.Sprintf("| `%s` | %s | %s |\n", s.Name, s.Default, strings.ReplaceAll(s.Meaning, "|", `\|`))
		},
	}
	// manual is what manual pages are written in, man(7). A line must not begin with a dot, nor have a bare backslash or hyphen.
	manual = language{
		".\\\" settings: go generate ./roc/settings\n", "", ".\\\" end of settings\n",
		func(s *Setting) string {
			escape := strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace
			return fmt.Sprintf(".TP\n.B %s\n\\&%s (default: %s)\n", s.Name, escape(s.Meaning), escape(s.Default))
		},
	}
)

// Insert returns the text of a file, which is Markdown or a manual page, with the settings that are of use to users in the place
// marked for them.
func Insert(file, text string) (string, error) {
	l := manual
	if strings.HasSuffix(file, ".md") {
		l = markdown
	}
	before, rest, ok := strings.Cut(text, l.start)
	_, after, ended := strings.Cut(rest, l.end)
	if !ok || !ended {
		return "", fmt.Errorf("%s: no place marked by %q and %q", file, l.start, l.end)
	}
	var b strings.Builder
	b.WriteString(before + l.start + l.head)
	for _, s := range All {
		if !s.Tests {
			b.WriteString(l.row(s))
		}
	}
	b.WriteString(l.end + after)
	return b.String(), nil
}
