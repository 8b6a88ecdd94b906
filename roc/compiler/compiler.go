// Package compiler is the driver's side of the compiler: it keeps a disk cache of programs, and has those it lacks built by
// a process of its own (aqueductc), so that no fault of a compiler is one of the application.
package compiler

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"sync"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/protocol"
	"aqueduct/roc/trace"
)

type (
	// Target says what code is for.
	Target = protocol.Target
	// Header is an embedded header of clCompileProgram.
	Header = frontend.Header
	// OptionError is returned for unknown or malformed options (CL_INVALID_BUILD_OPTIONS and the like).
	OptionError = frontend.OptionError
	// Stage is the API call a build is for.
	Stage = frontend.Stage
)

const (
	Build     = frontend.Build     // clBuildProgram: source to executable
	Compile   = frontend.Compile   // clCompileProgram: source and headers to compiled object
	Link      = frontend.Link      // clLinkProgram: compiled objects and libraries to executable or library
	Functions = frontend.Functions // names of builtin functions, separated by spaces, to shared object
	Kernels   = frontend.Kernels   // names of kernels of a deferred executable, separated by spaces, to executable of these
)

// AMD is the target for a GPU of AMD's, by LLVM's name for its processor; extensions and versions are what the device reports.
func AMD(processor string, extensions, versions []string) Target {
	return protocol.AMD(processor, extensions, versions)
}

// Host is the target for the processor this process runs on; extensions are what the device reports.
func Host(extensions []string) Target { return protocol.Host(extensions) }

// CheckOptions returns an OptionError if options are not legal for stage.
func CheckOptions(stage Stage, options string) error {
	_, err := frontend.Parse(stage, options)
	return err
}

// Request asks for a program.
type Request struct {
	Stage   Stage
	Target  Target
	Options string                // as given to the API call
	Source  []byte                // Build, Compile, Functions, Kernels
	IL      bool                  // Source is a SPIR-V module, not text
	Headers []Header              // Compile
	Inputs  []*codeobject.Program // Link; Kernels: one
	Defer   bool                  // Build, Link: a program of many kernels may come back deferred
}

var (
	// ErrFailed means that the program cannot be built (CL_BUILD_PROGRAM_FAILURE and the like); the log says why.
	ErrFailed = errors.New("the program cannot be built")
	// ErrUnavailable means that there is no compiler (CL_COMPILER_NOT_AVAILABLE).
	ErrUnavailable = errors.New("the compiler is not available")
)

// Client builds programs. It is safe for concurrent use; the zero Client takes its settings from the environment.
type Client struct {
	Config *Config // nil: the environment's

	once    sync.Once
	config  Config
	cache   *cache
	mu      sync.Mutex // guards running and flights
	running *process   // nil before the first build, and after the process died
	flights map[[sha256.Size]byte]*flight
}

// flight is a build under way that others may wait for.
type flight struct {
	done    chan struct{}
	program *codeobject.Program
	log     string
	err     error
}

func (c *Client) init() {
	c.config = Environment()
	if c.Config != nil {
		c.config = *c.Config
	}
	c.cache = openCache(c.config.CacheDir, c.config.CacheLimit)
	c.flights = map[[sha256.Size]byte]*flight{}
}

// Build returns the program that r asks for, from the cache if it is there, and the build log. The program is shared: it
// must not be changed. An error is an *OptionError, ErrUnavailable, ErrFailed (the log says why), or that of ctx.
func (c *Client) Build(ctx context.Context, r Request) (*codeobject.Program, string, error) {
	if !trace.On() {
		program, log, _, err := c.build(ctx, r)
		return program, log, err
	}
	e := trace.Event{Kind: trace.Build, Name: stages[r.Stage], Start: trace.Now()}
	program, log, cached, err := c.build(ctx, r)
	e.End, e.Cached = trace.Now(), cached
	if err != nil {
		e.Status = -1
	}
	trace.Record(&e)
	return program, log, err
}

// stages are what builds are called in a recording.
var stages = [...]string{Build: "build", Compile: "compile", Link: "link", Functions: "builtin functions", Kernels: "kernels"}

// build is Build, and says whether the program came from the cache.
func (c *Client) build(ctx context.Context, r Request) (program *codeobject.Program, log string, cached bool, err error) {
	c.once.Do(c.init)
	if err := CheckOptions(r.Stage, r.Options); err != nil {
		return nil, "", false, err
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "/"
	}
	request := &protocol.Request{Stage: r.Stage, Target: r.Target, Options: r.Options, Dir: dir,
		Timeout: c.config.Timeout, Source: r.Source, IL: r.IL, Headers: r.Headers, Defer: r.Defer}
	for _, p := range r.Inputs {
		data, err := p.Marshal()
		if err != nil {
			return nil, "", false, err
		}
		request.Inputs = append(request.Inputs, data)
	}
	key := keyOf(request, c.config.Compiler)
	if p, log := c.cache.load(key); p != nil {
		return p, log, true, nil
	}
	if err := c.parses(r); err != nil {
		return nil, "", false, err
	}
	f := c.join(key, request)
	select {
	case <-f.done:
		return f.program, f.log, false, f.err
	case <-ctx.Done():
		return nil, "", false, context.Cause(ctx)
	}
}

// join returns the flight for key, which it starts unless there is one. Who waits for it may give up; it goes on.
func (c *Client) join(key [sha256.Size]byte, r *protocol.Request) *flight {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.flights[key]; f != nil {
		return f
	}
	f := &flight{done: make(chan struct{})}
	c.flights[key] = f
	go func() {
		c.fly(f, key, r)
		c.mu.Lock()
		delete(c.flights, key)
		c.mu.Unlock()
		close(f.done)
	}()
	return f
}

// fly builds and keeps the result.
func (c *Client) fly(f *flight, key [sha256.Size]byte, r *protocol.Request) {
	reply, err := c.ask(r)
	if err != nil {
		f.err = err
		var crash *crashed
		if errors.As(err, &crash) {
			f.log, f.err = crash.Error()+"\n", ErrFailed
		}
		return
	}
	f.log = reply.Log
	if len(reply.Program) == 0 {
		f.err = ErrFailed
		return
	}
	if f.program, err = codeobject.Unmarshal(reply.Program); err != nil {
		f.err = fmt.Errorf("%w: %v", ErrFailed, err)
		return
	}
	c.cache.store(key, reply)
}

// ask has the compiler process work on r. If the process dies while other builds are in it, too, or is killed, r gets a second try
// alone, so that only the build that it dies of fails.
func (c *Client) ask(r *protocol.Request) (*protocol.Reply, error) {
	p, err := c.process()
	if err != nil {
		return nil, err
	}
	reply, err := p.ask(r)
	var crash *crashed
	if !errors.As(err, &crash) || crash.alone && crash.why != killed {
		return reply, err
	}
	if p, err = start(c.config.Compiler); err != nil {
		return nil, err
	}
	defer p.close()
	return p.ask(r)
}

// process returns the compiler process, which it starts if it is not running.
func (c *Client) process() (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil && c.running.alive() {
		return c.running, nil
	}
	p, err := start(c.config.Compiler)
	if err == nil {
		c.running = p
	}
	return p, err
}

// Unload is Close unless a build is under way.
func (c *Client) Unload() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil && len(c.flights) == 0 {
		c.running.close()
		c.running = nil
	}
}

// Close ends the compiler process, if it runs. The client can still be used.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil {
		c.running.close()
		c.running = nil
	}
}
