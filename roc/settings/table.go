package settings

import (
	"fmt"
	"strings"
)

//go:generate go run ./gen ../../README.md

const (
	tableStart = "<!-- settings: go generate ./roc/settings -->\n"
	tableEnd   = "<!-- end of settings -->\n"
)

// Table is the settings that are of use to users, as a table in Markdown.
func Table() string {
	var b strings.Builder
	b.WriteString("| Variable | Default | Meaning |\n|---|---|---|\n")
	for _, s := range All {
		if !s.Tests {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, s.Default, strings.ReplaceAll(s.Meaning, "|", `\|`))
		}
	}
	return b.String()
}

// Insert returns a text with the table in the place marked for it.
func Insert(text string) (string, error) {
	before, rest, ok := strings.Cut(text, tableStart)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !ok || !ended {
		return "", fmt.Errorf("no place marked by %q and %q", tableStart, tableEnd)
	}
	return before + tableStart + Table() + tableEnd + after, nil
}
