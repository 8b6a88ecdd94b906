package main

import (
	"fmt"
	"strings"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

const (
	platformName = "Aqueduct"
	loaderName   = "libOpenCL.so.1"
)

// The constants of CL/cl.h that the trial needs.
const (
	clPlatformNotFound = -1001 // CL_PLATFORM_NOT_FOUND_KHR
	clTypeAll          = 0xFFFFFFFF
	clInfoPlatformName = 0x0902
	clInfoDeviceName   = 0x102B
	clBuildLog         = 0x1183
	clWriteOnly        = 1 << 1
	clTrue             = 1
)

// opencl is what the trial calls of the loader's library.
type opencl struct {
	getPlatformIDs    func(n uint32, out *uintptr, count *uint32) int32
	getPlatformInfo   func(platform uintptr, param uint32, size uintptr, value unsafe.Pointer, sizeOut *uintptr) int32
	getDeviceIDs      func(platform uintptr, kind uint64, n uint32, out *uintptr, count *uint32) int32
	getDeviceInfo     func(device uintptr, param uint32, size uintptr, value unsafe.Pointer, sizeOut *uintptr) int32
	createContext     func(properties *uintptr, n uint32, devices *uintptr, notify, user uintptr, err *int32) uintptr
	createQueue       func(context, device uintptr, properties *uint64, err *int32) uintptr
	createProgram     func(context uintptr, n uint32, sources **byte, lengths *uintptr, err *int32) uintptr
	buildProgram      func(program uintptr, n uint32, devices *uintptr, options *byte, notify, user uintptr) int32
	buildInfo         func(program, device uintptr, param uint32, size uintptr, value unsafe.Pointer, sizeOut *uintptr) int32
	createKernel      func(program uintptr, name *byte, err *int32) uintptr
	createBuffer      func(context uintptr, flags uint64, size uintptr, host unsafe.Pointer, err *int32) uintptr
	setKernelArg      func(kernel uintptr, index uint32, size uintptr, value unsafe.Pointer) int32
	enqueueKernel     func(queue, kernel uintptr, dims uint32, offset, global, local *uintptr, n uint32, wait, event *uintptr) int32
	enqueueReadBuffer func(queue, buffer uintptr, blocking uint32, offset, size uintptr, to unsafe.Pointer, n uint32, wait, event *uintptr) int32
}

// openLoader resolves the functions of the ICD loader.
func openLoader() (*opencl, error) {
	lib, err := purego.Dlopen(loaderName, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	cl := new(opencl)
	for name, f := range map[string]any{
		"clGetPlatformIDs": &cl.getPlatformIDs, "clGetPlatformInfo": &cl.getPlatformInfo, "clGetDeviceIDs": &cl.getDeviceIDs,
		"clGetDeviceInfo": &cl.getDeviceInfo, "clCreateContext": &cl.createContext, "clCreateCommandQueueWithProperties": &cl.createQueue,
		"clCreateProgramWithSource": &cl.createProgram, "clBuildProgram": &cl.buildProgram, "clGetProgramBuildInfo": &cl.buildInfo,
		"clCreateKernel": &cl.createKernel, "clCreateBuffer": &cl.createBuffer, "clSetKernelArg": &cl.setKernelArg,
		"clEnqueueNDRangeKernel": &cl.enqueueKernel, "clEnqueueReadBuffer": &cl.enqueueReadBuffer,
	} {
		address, err := purego.Dlsym(lib, name)
		if err != nil {
			return nil, err
		}
		purego.RegisterFunc(f, address)
	}
	return cl, nil
}

// trial runs a kernel as any program would, on every device of ours, and reports whether the first one did.
func trial() (ran bool, f []finding) {
	cl, err := openLoader()
	if err != nil {
		return false, append(f, wrong("apt install ocl-icd-libopencl1", "the ICD loader: %v", err))
	}
	platform, err := cl.platform()
	if err != nil {
		return false, append(f, wrong("see Registration, above", "%v", err))
	}
	var count uint32
	var devices [16]uintptr
	if st := cl.getDeviceIDs(platform, clTypeAll, uint32(len(devices)), &devices[0], &count); st != 0 || count == 0 {
		return false, append(f, wrong("see Processor, above", "the driver offers no device (status %d)", st))
	}
	for i, device := range devices[:min(int(count), len(devices))] {
		name := text(func(size uintptr, value unsafe.Pointer, sizeOut *uintptr) int32 {
			return cl.getDeviceInfo(device, clInfoDeviceName, size, value, sizeOut)
		})
		built, ended, err := cl.run(device)
		if err != nil {
			f = append(f, wrong("see Compiler, above", "%s: %v", name, err))
			continue
		}
		ran = ran || i == 0
		f = append(f, fine("%s: built in %.1f ms, ran in %.1f µs, right result", name, built.Seconds()*1e3, ended.Seconds()*1e6))
	}
	return ran, f
}

// platform finds ours among those that the loader offers.
func (cl *opencl) platform() (uintptr, error) {
	var count uint32
	var platforms [64]uintptr
	if st := cl.getPlatformIDs(uint32(len(platforms)), &platforms[0], &count); st != 0 && st != clPlatformNotFound {
		return 0, fmt.Errorf("clGetPlatformIDs: status %d", st)
	}
	for _, p := range platforms[:min(int(count), len(platforms))] {
		name := text(func(size uintptr, value unsafe.Pointer, sizeOut *uintptr) int32 {
			return cl.getPlatformInfo(p, clInfoPlatformName, size, value, sizeOut)
		})
		if name == platformName {
			return p, nil
		}
	}
	return 0, fmt.Errorf("the ICD loader offers %d platforms, none of them %s", count, platformName)
}

// text asks a query for a string: first how long it is, then for it.
func text(query func(size uintptr, value unsafe.Pointer, sizeOut *uintptr) int32) string {
	var size uintptr
	if query(0, nil, &size) != 0 || size == 0 {
		return ""
	}
	b := make([]byte, size)
	if query(size, unsafe.Pointer(&b[0]), nil) != 0 {
		return ""
	}
	return string(b[:size-1])
}

const (
	trialSource = "kernel void trial(global uint *out) { out[get_global_id(0)] = 3 * get_global_id(0) + 1; }\x00"
	trialName   = "trial\x00"
	trialItems  = 1000
)

// run builds a kernel, runs it and checks what it wrote. The objects live until the program ends, which is at once.
func (cl *opencl) run(device uintptr) (built, ended time.Duration, err error) {
	var st int32
	check := func(what string) {
		if st != 0 && err == nil {
			err = fmt.Errorf("%s: status %d", what, st)
		}
	}
	context := cl.createContext(nil, 1, &device, 0, 0, &st)
	check("clCreateContext")
	queue := cl.createQueue(context, device, nil, &st)
	check("clCreateCommandQueueWithProperties")
	start := time.Now()
	source, name := []byte(trialSource), []byte(trialName)
	pointer := &source[0]
	program := cl.createProgram(context, 1, &pointer, nil, &st)
	check("clCreateProgramWithSource")
	if err != nil {
		return 0, 0, err
	}
	if st := cl.buildProgram(program, 0, nil, nil, 0, 0); st != 0 {
		log := text(func(size uintptr, value unsafe.Pointer, sizeOut *uintptr) int32 {
			return cl.buildInfo(program, device, clBuildLog, size, value, sizeOut)
		})
		return 0, 0, fmt.Errorf("clBuildProgram: status %d: %s", st, strings.TrimSpace(log))
	}
	built = time.Since(start)
	kernel := cl.createKernel(program, &name[0], &st)
	check("clCreateKernel")
	out := make([]uint32, trialItems)
	size, items := unsafe.Sizeof(out[0])*trialItems, uintptr(trialItems)
	buffer := cl.createBuffer(context, clWriteOnly, size, nil, &st)
	check("clCreateBuffer")
	st = cl.setKernelArg(kernel, 0, unsafe.Sizeof(buffer), unsafe.Pointer(&buffer))
	check("clSetKernelArg")
	if err != nil {
		return 0, 0, err
	}
	start = time.Now()
	st = cl.enqueueKernel(queue, kernel, 1, nil, &items, nil, 0, nil, nil)
	check("clEnqueueNDRangeKernel")
	st = cl.enqueueReadBuffer(queue, buffer, clTrue, 0, size, unsafe.Pointer(&out[0]), 0, nil, nil)
	check("clEnqueueReadBuffer")
	ended = time.Since(start)
	for i, v := range out {
		if want := uint32(3*i + 1); v != want && err == nil {
			err = fmt.Errorf("wrong result: element %d is %d, not %d", i, v, want)
		}
	}
	return built, ended, err
}
