package main

import (
	"fmt"
	"io"
)

// finding is one line of the report.
type finding struct {
	mark   string // ✓ as it should be, ✗ wrong, · neither good nor bad
	text   string
	advice string // what to do, "" for nothing
}

func fine(format string, args ...any) finding {
	return finding{mark: "✓", text: fmt.Sprintf(format, args...)}
}

func wrong(advice, format string, args ...any) finding {
	return finding{mark: "✗", text: fmt.Sprintf(format, args...), advice: advice}
}

func note(format string, args ...any) finding {
	return finding{mark: "·", text: fmt.Sprintf(format, args...)}
}

// printer writes the report.
type printer struct{ w io.Writer }

func (p printer) section(title string, findings []finding) {
	fmt.Fprintln(p.w, title)
	for _, f := range findings {
		fmt.Fprintf(p.w, "  %s %s\n", f.mark, f.text)
		if f.advice != "" {
			fmt.Fprintf(p.w, "      → %s\n", f.advice)
		}
	}
}
