package main

import (
	"fmt"
	"os"
	"strings"
)

// kindLetters name handle kinds in the test table.
var kindLetters = map[string]string{
	"cl_platform_id": "P", "cl_device_id": "D", "cl_context": "C", "cl_command_queue": "Q", "cl_mem": "M",
	"cl_program": "G", "cl_kernel": "K", "cl_event": "E", "cl_sampler": "S",
	"cl_command_buffer_khr": "B", "cl_mutable_command_khr": "U", "cl_semaphore_khr": "V",
}

// cases writes the table by which the tests call every entry point: CASE(index, name, what it returns, parameters). The
// parameters are a letter each: the kind of a handle, "x" for errcode_ret, "-" for anything else.
func cases(root string, all []slot) {
	var b strings.Builder
	b.WriteString(generated)
	fmt.Fprintf(&b, "// The cases from SLOT_COUNT on are not in the dispatch table.\n#define SLOT_COUNT %d\n", tableSize(all))
	b.WriteString("#define CASES(CASE) \\\n")
	for i, s := range all {
		letters := ""
		for _, p := range s.params {
			letter := kindLetters[p.ctype]
			switch {
			case p.name == "errcode_ret":
				letter = "x"
			case letter == "" || isOptional(s.name, p.ctype):
				letter = "-"
			}
			letters += letter
		}
		returns := "OBJECT"
		switch s.result {
		case "cl_int":
			returns = "STATUS"
		case "void":
			returns = "NOTHING"
		}
		end := " \\\n"
		if i == len(all)-1 {
			end = "\n"
		}
		fmt.Fprintf(&b, "\tCASE(%d, %s, %s, \"%s\")%s", i, s.name, returns, letters, end)
	}
	check(os.WriteFile(root+"/icd/testdata/cases.h", []byte(b.String()), 0o644))
}
