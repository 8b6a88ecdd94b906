package cl

import (
	"syscall"
	"testing"
	"unsafe"
)

// BenchmarkLaunch is a thousand enqueues of a tiny kernel and one finish, in nanoseconds a launch.
func BenchmarkLaunch(b *testing.B) {
	f := newFixture(b)
	p := f.program(addSource)
	k := f.kernel(p, "add")
	m := f.buffer(64)
	set(k, 0, 8, Arg{Mem: m})
	set(k, 1, 4, intArg(1))
	r := line(16, 16)
	var u0 syscall.Rusage
	syscall.Getrusage(0, &u0)
	cpu0 := u0.Utime.Nano() + u0.Stime.Nano()
	b.ReportAllocs()
	for b.Loop() {
		for range 1000 {
			f.q.NDRangeKernel(k, r, Sync{})
		}
		f.q.Finish()
	}
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	b.ReportMetric(float64(u.Utime.Nano()+u.Stime.Nano()-cpu0)/float64(b.N)/1000, "cpu-ns/launch")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/launch")
}

// BenchmarkRead is a blocking read of eight bytes from an idle queue.
func BenchmarkRead(b *testing.B) {
	f := newFixture(b)
	m := f.buffer(64)
	host := make([]byte, 8)
	b.ReportAllocs()
	for b.Loop() {
		f.q.ReadBuffer(m, true, 0, 8, unsafe.Pointer(&host[0]), Sync{})
	}
}

// BenchmarkReplay is what BenchmarkLaunch does with a thousand launches that were recorded.
func BenchmarkReplay(b *testing.B) {
	f := newFixture(b)
	r := f.recorder(nil, f.q)
	defer r.b.Release()
	for range 1000 {
		r.record(r.add(1))
	}
	r.finalize()
	var u0, u syscall.Rusage
	syscall.Getrusage(0, &u0)
	b.ReportAllocs()
	for b.Loop() {
		r.b.Enqueue(nil, Sync{})
		f.q.Finish()
	}
	syscall.Getrusage(0, &u)
	cpu := u.Utime.Nano() + u.Stime.Nano() - u0.Utime.Nano() - u0.Stime.Nano()
	b.ReportMetric(float64(cpu)/float64(b.N)/1000, "cpu-ns/launch")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/launch")
}
