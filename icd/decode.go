package main

import (
	"slices"
	"unsafe"

	"aqueduct/cl"
)

// shortList is how long a wait list may be without an allocation.
const shortList = 8

// waitFor decodes the last three parameters of an enqueue, into events if they fit.
func waitFor(events []*cl.Event, n uint32, list, event uintptr) (cl.Sync, cl.Status) {
	s := cl.Sync{Event: event != 0}
	// CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list > 0, or event_wait_list is not NULL
	// and num_events_in_wait_list is 0
	if (n == 0) != (list == 0) {
		return s, cl.CL_INVALID_EVENT_WAIT_LIST
	}
	if n == 0 {
		return s, cl.CL_SUCCESS
	}
	for _, h := range array[uintptr](list, n) {
		e := (*cl.Event)(find(h, cl.KindEvent))
		// or if event objects in event_wait_list are not valid events
		if e == nil {
			return s, cl.CL_INVALID_EVENT_WAIT_LIST
		}
		events = append(events, e)
	}
	s.Wait = events
	return s, cl.CL_SUCCESS
}

// array is n values in the application's memory, in place.
func array[T any](at uintptr, n uint32) []T {
	return unsafe.Slice((*T)(cl.Addr(at).Pointer()), n)
}

// objects is a list of n handles of one kind, or false if one is none.
func objects[T any](list cl.Addr, n uint32, kind cl.Kind) ([]*T, bool) {
	os := make([]*T, n)
	for i, h := range array[uintptr](uintptr(list), n) {
		if os[i] = (*T)(find(h, kind)); os[i] == nil {
			return nil, false
		}
	}
	return os, true
}

// properties is a list that ends in 0, the 0 included; nil for NULL. The values of the properties named in lists end in 0, too.
func properties(at cl.Addr, lists ...uint64) []uint64 {
	if at == 0 {
		return nil
	}
	var out []uint64
	for ; ; at += 8 {
		v := *(*uint64)(at.Pointer())
		out = append(out, v)
		if v == 0 {
			return out
		}
		for at += 8; ; at += 8 {
			value := *(*uint64)(at.Pointer())
			out = append(out, value)
			if value == 0 || !slices.Contains(lists, v) {
				break
			}
		}
	}
}

// cstring copies a NUL-terminated string; "" for NULL.
func cstring(at cl.Addr) string {
	if at == 0 {
		return ""
	}
	n := uintptr(0)
	for *(*byte)((at + cl.Addr(n)).Pointer()) != 0 {
		n++
	}
	return string(at.Bytes(n))
}

// give answers a create function that made o: its handle, unless it has one already, and st at errcode. st is an error where
// the specification wants both an object and one (clLinkProgram).
func give(o *cl.Object, st cl.Status, errcode uintptr) uintptr {
	if o.Handle() == 0 && !newHandle(o) {
		o.Release()
		return refuse(errcode, cl.CL_OUT_OF_HOST_MEMORY)
	}
	answer(0, st, errcode)
	return o.Handle()
}

// refuse answers a create function that failed.
func refuse(errcode uintptr, st cl.Status) uintptr { return answer(0, st, errcode) }

// answer is p if st is CL_SUCCESS, else NULL, and stores st at errcode unless that is NULL.
func answer(p uintptr, st cl.Status, errcode uintptr) uintptr {
	if errcode != 0 {
		cl.Addr(errcode).PutUint(uint32(st))
	}
	if st != cl.CL_SUCCESS {
		return 0
	}
	return p
}

// giveEvent stores the handle of the event of an enqueue where the application wants it, and answers its status.
func giveEvent(e *cl.Event, st cl.Status, at uintptr) cl.Status {
	if at == 0 || e == nil {
		return st
	}
	if !newHandle(&e.Object) {
		e.Release()
		return cl.CL_OUT_OF_HOST_MEMORY
	}
	*(*uintptr)(cl.Addr(at).Pointer()) = e.Handle()
	return st
}

// giveList answers the parameters (num_entries, list, num_available) that clGet*IDs, clCreateSubDevices and
// clCreateKernelsInProgram share.
func giveList[T cl.Identified](all []T, entries uint32, list, available cl.Addr) {
	if list != 0 {
		out := array[uintptr](uintptr(list), min(entries, uint32(len(all))))
		for i := range out {
			out[i] = all[i].Handle()
		}
	}
	if available != 0 {
		available.PutUint(uint32(len(all)))
	}
}
