package main

import (
	"log"
	"os"
	"regexp"
	"strings"
)

// slot is one entry of the dispatch table, or a function that is known by its name alone.
type slot struct {
	name   string
	result string // C type
	params []param
	byName bool
}

type param struct {
	ctype string // "void *" for every pointer and function pointer
	name  string
}

var (
	typedef  = regexp.MustCompile(`(?s)typedef\s+([\w ]+?\s*\**)\s*\(\s*CL_API_CALL\s*\*\s*cl_api_(\w+)\)\s*\((.*?)\)\s*(?:CL_\w+\s*)*;`)
	member   = regexp.MustCompile(`(?m)^\s*cl_api_\w+\s+(\w+);`)
	named    = regexp.MustCompile(`/\*\s*(\w+)(?:\[\])?\s*\*/`) // a parameter's name, in some prototypes only a comment
	comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	callback = regexp.MustCompile(`\(\s*CL_CALLBACK\s*\*\s*(\w*)\s*\)`)
)

// slots reads the dispatch table of CL/cl_icd.h, in its order, with the prototype of each entry.
func slots() []slot {
	raw, err := os.ReadFile(include + "cl_icd.h")
	check(err)
	text := comments.ReplaceAllString(named.ReplaceAllString(string(raw), "$1"), "")
	prototypes := map[string]slot{}
	for _, m := range typedef.FindAllStringSubmatch(text, -1) {
		prototypes[m[2]] = slot{name: m[2], result: ctype(m[1]), params: params(m[3])}
	}
	table := text[strings.Index(text, "_cl_icd_dispatch {"):]
	var all []slot
	for _, m := range member.FindAllStringSubmatch(table, -1) {
		s, ok := prototypes[m[1]]
		if !ok {
			log.Fatal("gen: no prototype of ", m[1])
		}
		all = append(all, s)
	}
	return all
}

// params splits a parameter list at its outer commas.
func params(list string) []param {
	var out []param
	depth, start := 0, 0
	for i := 0; i <= len(list); i++ {
		switch {
		case i == len(list) || list[i] == ',' && depth == 0:
			if text := strings.TrimSpace(list[start:i]); text != "" && text != "void" {
				out = append(out, oneParam(text))
			}
			start = i + 1
		case list[i] == '(':
			depth++
		case list[i] == ')':
			depth--
		}
	}
	return out
}

func oneParam(text string) param {
	if m := callback.FindStringSubmatch(text); m != nil {
		return param{"void *", m[1]}
	}
	if i := strings.IndexByte(text, '['); i >= 0 { // an array parameter is a pointer
		text = text[:i]
		return param{"void *", text[strings.LastIndexAny(text, " \n\t")+1:]}
	}
	cut := strings.LastIndexAny(text, " *\n\t") + 1
	return param{ctype(text[:cut]), text[cut:]}
}

// ctype drops const and makes every pointer "void *".
func ctype(text string) string {
	words := strings.Fields(strings.ReplaceAll(text, "const ", ""))
	joined := strings.Join(words, " ")
	if strings.Contains(joined, "*") {
		return "void *"
	}
	return joined
}

// handleKinds are the handle types, each with the Go type behind it and its kind.
var handleKinds = map[string]struct{ object, kind string }{
	"cl_platform_id":   {"cl.Platform", "Platform"},
	"cl_device_id":     {"cl.Device", "Device"},
	"cl_context":       {"cl.Context", "Context"},
	"cl_command_queue": {"cl.Queue", "Queue"},
	"cl_mem":           {"cl.Mem", "Mem"},
	"cl_program":       {"cl.Program", "Program"},
	"cl_kernel":        {"cl.Kernel", "Kernel"},
	"cl_event":         {"cl.Event", "Event"},
	"cl_sampler":       {"cl.Sampler", "Sampler"},

	"cl_command_buffer_khr":  {"cl.CommandBuffer", "CommandBuffer"},
	"cl_mutable_command_khr": {"cl.MutableCommand", "MutableCommand"},
	"cl_semaphore_khr":       {"cl.Semaphore", "Semaphore"},
}

// scalar is the Go type of a C one.
func scalar(ctype string) string {
	switch ctype {
	case "cl_int", "cl_GLint", "int":
		return "int32"
	case "size_t":
		return "uintptr"
	case "void *", "CLeglImageKHR", "CLeglDisplayKHR", "CLeglSyncKHR", "cl_GLsync", "cl_GLsync_khr":
		return "uintptr"
	case "cl_mem_flags", "cl_map_flags", "cl_svm_mem_flags", "cl_svm_mem_flags_arm", "cl_mem_migration_flags", "cl_device_type",
		"cl_command_queue_properties", "cl_bitfield", "cl_ulong":
		return "uint64"
	}
	return "uint32" // cl_uint, cl_bool and the enumerations
}
