package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"time"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/pipeline"
	"aqueduct/roc/compiler/protocol"
)

// socketFD is where the driver leaves its end of the socket.
const socketFD = 3

// mouldFD is where the driver leaves this process's end of the socket of the clang that it has started.
const mouldFD = 4

// adopt takes over that clang.
func adopt(pid string) {
	if id, err := strconv.Atoi(pid); err == nil {
		frontend.AdoptMould(id, mouldFD)
	}
}

// defaultTimeout ends a build that asks for no other.
const defaultTimeout = 30 * time.Minute

// serve answers the driver until it closes the socket or ends. Requests are worked on in parallel.
func serve() error {
	debug.SetGCPercent(400) // short-lived garbage between builds; LLVM's memory is not Go's
	conn := protocol.NewConn(os.NewFile(socketFD, "driver"))
	compiler := newCompiler()
	prepare(compiler)
	for {
		r := new(protocol.Request)
		if err := conn.Receive(r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		go func() {
			if err := conn.Send(answer(compiler, r)); err != nil {
				os.Exit(0) // the driver is gone
			}
		}()
	}
}

// prepare loads what a build needs, or begins to. Clang has more to load than this process, and could be kept waiting by it:
// in a virtual machine the page faults of one hold up the other.
func prepare(c *pipeline.Compiler) {
	c.Library() // knows how clang is started
	go func() {
		frontend.Prepare()
		llvm.Load()
	}()
}

// grace is how long after its deadline a build may still end by itself.
const grace = time.Second

func answer(compiler *pipeline.Compiler, r *protocol.Request) *protocol.Reply {
	start := time.Now()
	timeout := r.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), timeout, fmt.Errorf("the build took longer than %v (AQUEDUCT_BUILD_TIMEOUT)", timeout))
	defer cancel()
	// LLVM cannot be interrupted: a build that it does not end in time ends the process, and the driver starts another.
	watchdog := time.AfterFunc(timeout+grace, func() {
		fmt.Fprintln(os.Stderr, context.Cause(ctx))
		os.Exit(1)
	})
	defer watchdog.Stop()
	res := compiler.Build(ctx, r)
	reply := &protocol.Reply{ID: r.ID, Log: res.Log}
	if res.Program == nil {
		return reply
	}
	data, err := res.Program.Marshal()
	if err != nil {
		reply.Log += err.Error() + "\n"
		return reply
	}
	reply.Program = data
	for _, path := range res.Deps {
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.Dir, path)
		}
		info, err := os.Stat(path)
		text, err2 := os.ReadFile(path)
		// A file changed since the build began may not be what clang read.
		if err != nil || err2 != nil || info.ModTime().After(start.Add(-time.Second)) {
			reply.Volatile = true
			continue
		}
		reply.Deps = append(reply.Deps, protocol.Dependency{Path: path, Sum: sha256.Sum256(text)})
	}
	return reply
}
