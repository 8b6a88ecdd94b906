package main

import (
	"fmt"
	"strings"
)

// optional are the handles that may be NULL, or are looked at late: passed on as they are.
var optional = map[string]string{
	"clGetKernelWorkGroupInfo":   "cl_device_id",
	"clGetKernelSubGroupInfo":    "cl_device_id",
	"clGetKernelSubGroupInfoKHR": "cl_device_id",
	"clSharedMemAllocINTEL":      "cl_device_id",
	// that the device has no such queue comes before what the queue is
	"clSetDefaultDeviceCommandQueue": "cl_command_queue",
}

// isOptional reports whether a handle of a function is passed on as it is.
func isOptional(function, ctype string) bool {
	// recording functions take a queue or none
	return optional[function] == ctype || strings.HasPrefix(function, "clCommand") && ctype == "cl_command_queue"
}

// anyQueue are the functions that take on-device queues as well as host queues.
var anyQueue = map[string]bool{
	"clRetainCommandQueue": true, "clReleaseCommandQueue": true, "clGetCommandQueueInfo": true, "clSetCommandQueueProperty": true,
}

// exports writes the functions behind the dispatch table. Each turns handles into objects, collects the parameters that many
// functions share, and calls the function of the OpenCL name written by hand.
func exports(root string, all []slot) {
	var b strings.Builder
	b.WriteString("package main\n\nimport \"C\"\n\nimport \"aqueduct/cl\"\n")
	for _, s := range all {
		f := function{slot: s, first: "0"}
		f.decode()
		f.write(&b)
	}
	writeGo(root+"/icd/exports.go", b.String())
}

// function is one exported function while it is written.
type function struct {
	slot
	names  []string        // its parameters
	args   []string        // of the function written by hand
	checks strings.Builder // statements before the call
	first  string          // its first parameter if that is a handle, for reports of panics
	event  bool            // it is an enqueue: its function returns an event, too
}

// decode goes through the parameters.
func (f *function) decode() {
	for i := 0; i < len(f.params); i++ {
		p := f.params[i]
		name := camel(p.name)
		object, isHandle := handleKinds[p.ctype]
		switch {
		case p.name == "errcode_ret":
			f.names = append(f.names, "errcode uintptr")
		case p.name == "command_queue" && strings.HasPrefix(f.name, "clCommand"):
			f.names = append(f.names, "queue, properties uintptr")
			i++
		case isHandle && !isOptional(f.name, p.ctype):
			f.handle(name, object.object, object.kind)
			if i == 0 {
				f.first = name + "Handle"
			}
		case isHandle:
			f.names = append(f.names, name+" uintptr")
			f.args = append(f.args, name)
		case p.name == "param_value_size" && i+2 < len(f.params):
			f.names = append(f.names, "paramValueSize, paramValue, paramValueSizeRet uintptr")
			f.args = append(f.args, "cl.Out{Value: cl.Addr(paramValue), Size: paramValueSize, SizeRet: cl.Addr(paramValueSizeRet)}")
			i += 2
		case p.name == "num_sync_points_in_wait_list":
			f.names = append(f.names, "numPoints uint32", "pointList, point, handle uintptr")
			f.args[0] = "recorded{commandBuffer, queue, cl.Addr(properties), numPoints, cl.Addr(pointList), cl.Addr(point), cl.Addr(handle)}"
			i += 3
		case p.name == "num_events_in_wait_list":
			f.names = append(f.names, "numEvents uint32", "waitList, event uintptr")
			f.args = append(f.args, "sync")
			f.event = true
			i += 2
		case isPointer(p.ctype):
			f.names = append(f.names, name+" uintptr")
			f.args = append(f.args, "cl.Addr("+name+")")
		default:
			f.names = append(f.names, name+" "+scalar(p.ctype))
			f.args = append(f.args, name)
		}
	}
}

// handle has a handle checked and made an object.
func (f *function) handle(name, object, kind string) {
	f.names = append(f.names, name+"Handle uintptr")
	f.args = append(f.args, name)
	invalid := f.fail("cl." + invalidOf[kind])
	if interopStatus(f.name) != "" { // the object is of no interest
		fmt.Fprintf(&f.checks, "if find(%sHandle, cl.Kind%s) == nil {\n%s\n}\n", name, kind, invalid)
		return
	}
	if kind == "Queue" && anyQueue[f.name] {
		fmt.Fprintf(&f.checks, "%s := anyQueue(%sHandle)\nif %[1]s == nil {\n%[3]s\n}\n", name, name, invalid)
		return
	}
	fmt.Fprintf(&f.checks, "%s := (*%s)(find(%sHandle, cl.Kind%s))\nif %[1]s == nil {\n%[5]s\n}\n", name, object, name, kind, invalid)
}

// creates reports whether the function has an errcode_ret.
func (f *function) creates() bool {
	return len(f.params) > 0 && f.params[len(f.params)-1].name == "errcode_ret"
}

// fail is the statement that returns an error.
func (f *function) fail(status string) string {
	switch {
	case f.result == "cl_int":
		return "return int32(" + status + ")"
	case f.result == "void":
		return "return"
	case f.creates():
		return "return refuse(errcode, " + status + ")"
	}
	return "return 0"
}

func (f *function) write(b *strings.Builder) {
	result, guard := "(h uintptr)", "guardQuietly("+f.first+")"
	switch {
	case f.result == "cl_int":
		result, guard = "(st int32)", "guard(&st, "+f.first+")"
	case f.result == "void":
		result = ""
	case f.creates():
		guard = "guardCreate(&h, errcode, " + f.first + ")"
	}
	fmt.Fprintf(b, "\n//export aq_%s\nfunc aq_%[1]s(%s) %s {\ndefer %s\n%s", f.name, strings.Join(f.names, ", "), result, guard, f.checks.String())
	if status := interopStatus(f.name); status != "" {
		fmt.Fprintf(b, "%s\n}\n", f.fail("cl."+status))
		return
	}
	if f.event {
		fmt.Fprintf(b, "var events [shortList]*cl.Event\nsync, bad := waitFor(events[:0], numEvents, waitList, event)\n"+
			"if bad != cl.CL_SUCCESS {\n%s\n}\n", f.fail("bad"))
	}
	fmt.Fprintf(b, f.answer()+"\n}\n", f.name+"("+strings.Join(f.args, ", ")+")")
}

// answer is the statements that make the call, which is %s, and return what it returns.
func (f *function) answer() string {
	_, isHandle := handleKinds[f.result]
	switch {
	case f.result == "cl_int" && f.event:
		return "e, status := %s\nreturn int32(giveEvent(e, status, event))"
	case f.result == "cl_int":
		return "return int32(%s)"
	case f.result == "void":
		return "%s"
	case isHandle:
		return "o, status := %s\nif o == nil {\nreturn refuse(errcode, status)\n}\nreturn give(&o.Object, status, errcode)"
	case f.event: // a mapped pointer
		return "p, e, status := %s\nreturn answer(uintptr(p), giveEvent(e, status, event), errcode)"
	case f.creates(): // memory
		return "p, status := %s\nreturn answer(uintptr(p), status, errcode)"
	}
	return "return uintptr(%s)"
}

func isPointer(ctype string) bool { return scalar(ctype) == "uintptr" && ctype != "size_t" }

var invalidOf = map[string]string{
	"Platform": "CL_INVALID_PLATFORM", "Device": "CL_INVALID_DEVICE", "Context": "CL_INVALID_CONTEXT",
	"Queue": "CL_INVALID_COMMAND_QUEUE", "Mem": "CL_INVALID_MEM_OBJECT", "Program": "CL_INVALID_PROGRAM",
	"Kernel": "CL_INVALID_KERNEL", "Event": "CL_INVALID_EVENT", "Sampler": "CL_INVALID_SAMPLER",
	"CommandBuffer": "CL_INVALID_COMMAND_BUFFER_KHR", "MutableCommand": "CL_INVALID_MUTABLE_COMMAND_KHR",
	"Semaphore": "CL_INVALID_SEMAPHORE_KHR",
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
