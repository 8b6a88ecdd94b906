// Package protocol is what the driver and the compiler process say to each other over their socket.
package protocol

import (
	"encoding/gob"
	"io"
	"strings"
	"sync"
	"time"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
)

// Target says what code is for.
type Target struct {
	ID         string   // names the processor and its features: equal IDs run each other's code
	CPU        string   // LLVM's name, such as "znver3" or "gfx906"; "" is the processor the compiler runs on
	Features   []string // LLVM's names with a sign, such as "-avx512f", on top of what CPU has
	Extensions []string // cl_* extensions and __opencl_c_* features that the device reports
	Versions   []string // OpenCL C versions that the device accepts, as after -cl-std=; empty: all
}

// GPU reports whether t is one of AMD's GPUs.
func (t *Target) GPU() bool { return strings.HasPrefix(t.CPU, "gfx") }

// AMD is the target for a GPU of AMD's by LLVM's name for its processor.
func AMD(processor string, extensions, versions []string) Target {
	return Target{ID: codeobject.GPUTarget(processor), CPU: processor, Extensions: extensions, Versions: versions}
}

// Request asks for one build.
type Request struct {
	ID      uint64
	Stage   frontend.Stage
	Target  Target
	Options string // as given to clBuildProgram and the like
	Dir     string // where relative -I paths start
	Timeout time.Duration
	Source  []byte            // Build, Compile; Functions, Kernels: names, separated by spaces
	IL      bool              // Source is a SPIR-V module, not text
	Headers []frontend.Header // Compile
	Inputs  [][]byte          // Link: program binaries of type object or library; Kernels: a deferred executable
	Defer   bool              // Build, Link: a program of many kernels may come back deferred
}

// Reply answers the request of the same ID.
type Reply struct {
	ID       uint64
	Program  []byte       // a marshalled codeobject.Program; empty when the build failed
	Log      string       // the build log, also of a build that did not fail
	Deps     []Dependency // files the source includes
	Volatile bool         // the program must not be reused: a file it includes was changed while it was being built
}

// Dependency is a file and a hash of what it held.
type Dependency struct {
	Path string
	Sum  [32]byte
}

// Conn sends and receives messages. Send may be called from any goroutine, Receive from one at a time.
type Conn struct {
	mu  sync.Mutex // held while a message is written
	rw  io.ReadWriteCloser
	enc *gob.Encoder
	dec *gob.Decoder
}

// NewConn speaks over rw, which Close closes.
func NewConn(rw io.ReadWriteCloser) *Conn {
	return &Conn{rw: rw, enc: gob.NewEncoder(rw), dec: gob.NewDecoder(rw)}
}

// Send writes a *Request or a *Reply.
func (c *Conn) Send(message any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.enc.Encode(message)
}

// Receive reads the next message into a *Request or a *Reply.
func (c *Conn) Receive(message any) error { return c.dec.Decode(message) }

func (c *Conn) Close() error { return c.rw.Close() }
