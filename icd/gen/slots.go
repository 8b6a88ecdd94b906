package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// slotHeader writes the lists of functions for C: SLOT(index, name, what answers in a forked child).
func slotHeader(root string, all []slot) {
	n := tableSize(all)
	var b strings.Builder
	b.WriteString(generated)
	b.WriteString("// Each entry of cl_icd_dispatch: SLOT(its index, its name, what answers in its place in a forked child).\n")
	list(&b, "SLOTS", 0, all[:n])
	b.WriteString("\n// The functions that are found by name alone, after them.\n")
	list(&b, "EXTENSIONS", n, all[n:])
	fmt.Fprintf(&b, "\n#define FUNCTIONS(SLOT) SLOTS(SLOT) EXTENSIONS(SLOT)\n#define AQ_SLOTS %d\n", n)
	check(os.WriteFile(root+"/icd/slots.h", []byte(b.String()), 0o644))
}

// tableSize is how many of all are in the dispatch table; they come first.
func tableSize(all []slot) int { return slices.IndexFunc(all, func(s slot) bool { return s.byName }) }

func list(b *strings.Builder, macro string, first int, some []slot) {
	fmt.Fprintf(b, "#define %s(SLOT)", macro)
	for i, s := range some {
		fmt.Fprintf(b, " \\\n\tSLOT(%d, %s, %s)", first+i, s.name, lost(s))
	}
	b.WriteString("\n")
}

// lost names the function of fork.c that answers for s in a child: by what s returns, and where its errcode_ret is.
func lost(s slot) string {
	switch {
	case s.result == "cl_int":
		return "lost_status"
	case s.result == "void":
		return "lost_void"
	case len(s.params) > 0 && s.params[len(s.params)-1].name == "errcode_ret":
		return fmt.Sprintf("lost_create_%d", len(s.params)-1)
	}
	return "lost_null"
}
