package main

import (
	"fmt"
	"strings"
)

// optional are the handles that may be NULL: passed on as they are.
var optional = map[string]string{
	"clGetKernelWorkGroupInfo":   "cl_device_id",
	"clGetKernelSubGroupInfo":    "cl_device_id",
	"clGetKernelSubGroupInfoKHR": "cl_device_id",
}

// exports writes the functions behind the dispatch table. Each turns handles into objects, collects the parameters that many
// functions share, and calls the function of the OpenCL name written by hand.
func exports(root string, all []slot) {
	var b strings.Builder
	b.WriteString("package main\n\nimport \"C\"\n\nimport \"aqueduct/cl\"\n")
	for _, s := range all {
		b.WriteString("\n")
		export(&b, s)
	}
	writeGo(root+"/icd/exports.go", b.String())
}

func export(b *strings.Builder, s slot) {
	var names, args, lookups []string
	var sync, create, result string
	zero := "return int32(cl.%s)"
	last := len(s.params) - 1
	if last >= 0 && s.params[last].name == "errcode_ret" {
		create = "errcode"
	}
	switch {
	case s.result == "cl_int":
		result = "(st int32)"
	case s.result == "void":
		result, zero = "", "return"
	default:
		result, zero = "(h uintptr)", "return 0"
		if create != "" {
			zero = "return refuse(errcode, cl.%s)"
		}
	}
	for i := 0; i < len(s.params); i++ {
		p := s.params[i]
		name := camel(p.name)
		object, isHandle := handleKinds[p.ctype]
		switch {
		case p.name == "errcode_ret":
			names = append(names, "errcode uintptr")
		case isHandle && optional[s.name] != p.ctype:
			names = append(names, name+"Handle uintptr")
			fail := zero
			if strings.Contains(zero, "%s") {
				fail = fmt.Sprintf(zero, invalidOf[object.kind])
			}
			if interopStatus(s.name) != "" {
				lookups = append(lookups, fmt.Sprintf("if find(%sHandle, cl.Kind%s) == nil {\n%s\n}\n", name, object.kind, fail))
			} else {
				lookups = append(lookups, fmt.Sprintf("%s := (*%s)(find(%sHandle, cl.Kind%s))\nif %s == nil {\n%s\n}\n", name, object.object, name, object.kind, name, fail))
			}
			args = append(args, name)
		case isHandle:
			names = append(names, name+" uintptr")
			args = append(args, name)
		case p.name == "param_value_size" && i+2 <= last:
			names = append(names, "paramValueSize, paramValue, paramValueSizeRet uintptr")
			args = append(args, "cl.Out{Value: cl.Addr(paramValue), Size: paramValueSize, SizeRet: cl.Addr(paramValueSizeRet)}")
			i += 2
		case p.name == "num_events_in_wait_list":
			names = append(names, "numEvents uint32", "waitList, event uintptr")
			args = append(args, "sync")
			sync = "var events [shortList]*cl.Event\nsync, bad := waitFor(events[:0], numEvents, waitList, event)\nif bad != cl.CL_SUCCESS {\n" +
				strings.NewReplacer("cl.%s", "bad").Replace(zero) + "\n}\n"
			i += 2
		default:
			names = append(names, name+" "+scalar(p.ctype))
			if isPointer(p.ctype) {
				args = append(args, "cl.Addr("+name+")")
			} else {
				args = append(args, name)
			}
		}
	}
	who := "0"
	if len(s.params) > 0 {
		if _, ok := handleKinds[s.params[0].ctype]; ok {
			who = camel(s.params[0].name) + "Handle"
		}
	}
	fmt.Fprintf(b, "//export aq_%s\nfunc aq_%s(%s) %s {\n", s.name, s.name, strings.Join(names, ", "), result)
	switch {
	case s.result == "cl_int":
		fmt.Fprintf(b, "defer guard(&st, %s)\n", who)
	case create != "":
		fmt.Fprintf(b, "defer guardCreate(&h, errcode, %s)\n", who)
	default:
		fmt.Fprintf(b, "defer guardQuietly(%s)\n", who)
	}
	for _, l := range lookups {
		b.WriteString(l)
	}
	if status := interopStatus(s.name); status != "" {
		fmt.Fprintf(b, zero+"\n}\n", status)
		return
	}
	b.WriteString(sync)
	call := fmt.Sprintf("%s(%s)", s.name, strings.Join(args, ", "))
	_, isHandle := handleKinds[s.result]
	switch {
	case s.result == "cl_int" && sync != "":
		fmt.Fprintf(b, "e, status := %s\nreturn int32(giveEvent(e, status, event))\n}\n", call)
	case s.result == "cl_int":
		fmt.Fprintf(b, "return int32(%s)\n}\n", call)
	case s.result == "void":
		fmt.Fprintf(b, "%s\n}\n", call)
	case isHandle:
		fmt.Fprintf(b, "o, status := %s\nif o == nil {\nreturn refuse(errcode, status)\n}\nreturn give(&o.Object, status, errcode)\n}\n", call)
	case sync != "":
		fmt.Fprintf(b, "p, e, status := %s\nreturn answer(uintptr(p), giveEvent(e, status, event), errcode)\n}\n", call)
	default:
		fmt.Fprintf(b, "return uintptr(%s)\n}\n", call)
	}
}

func isPointer(ctype string) bool { return scalar(ctype) == "uintptr" && ctype != "size_t" }

var invalidOf = map[string]string{
	"Platform": "CL_INVALID_PLATFORM", "Device": "CL_INVALID_DEVICE", "Context": "CL_INVALID_CONTEXT",
	"Queue": "CL_INVALID_COMMAND_QUEUE", "Mem": "CL_INVALID_MEM_OBJECT", "Program": "CL_INVALID_PROGRAM",
	"Kernel": "CL_INVALID_KERNEL", "Event": "CL_INVALID_EVENT", "Sampler": "CL_INVALID_SAMPLER",
}

// camel turns a C name into a Go one.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts[1:] {
		if p != "" {
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	out := strings.Join(parts, "")
	switch out {
	case "type", "func", "map", "range", "len":
		return out + "Arg"
	}
	return out
}
