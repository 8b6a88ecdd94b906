package main

import (
	"fmt"
	"os"
	"strings"
)

// slotHeader writes the list of slots for C: SLOT(index, name, what answers in a forked child).
func slotHeader(root string, all []slot) {
	var b strings.Builder
	b.WriteString(generated)
	b.WriteString("// Each entry of cl_icd_dispatch: SLOT(its index, its name, what answers in its place in a forked child).\n#define SLOTS(SLOT) \\\n")
	for i, s := range all {
		end := " \\\n"
		if i == len(all)-1 {
			end = "\n"
		}
		fmt.Fprintf(&b, "\tSLOT(%d, %s, %s)%s", i, s.name, lost(s), end)
	}
	check(os.WriteFile(root+"/icd/slots.h", []byte(b.String()), 0o644))
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
