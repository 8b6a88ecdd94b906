package frontend

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// child is a clang that has started and waits for its arguments. It reads arguments as a response file from descriptor 4,
// source from standard input, and writes bitcode to standard output and dependencies to descriptor 3.
type child struct {
	process            *os.Process
	stdin, args        *os.File
	bitcode, log, deps bytes.Buffer
	done               chan error // how it ended, once; the buffers are complete then
}

// command is clang's own part of its arguments: the others come from descriptor 4.
var command = []string{"clang", "-cc1", "@/proc/self/fd/4"}

// spawn starts a clang. The child dies with this process: that is bound to the life of the thread that started it, so a
// thread waits for it.
func spawn(clang string) (*child, error) {
	c := &child{done: make(chan error, 1)}
	var theirs, ours [5]*os.File
	closeAll := func(files []*os.File) {
		for _, f := range files {
			f.Close() // nil is no file
		}
	}
	for i := range theirs {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(theirs[:])
			closeAll(ours[:])
			return nil, err
		}
		if theirs[i], ours[i] = r, w; 1 <= i && i <= 3 {
			theirs[i], ours[i] = w, r
		}
	}
	c.stdin, c.args = ours[0], ours[4]
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var err error
		if c.process, err = copyMould(clang, theirs[:]); err != nil {
			c.process, err = os.StartProcess(clang, command, &os.ProcAttr{Dir: "/", Files: theirs[:], Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}})
		}
		closeAll(theirs[:])
		started <- err
		if err == nil {
			c.done <- c.wait(ours[1:4])
		}
	}()
	if err := <-started; err != nil {
		closeAll(ours[:])
		return nil, err
	}
	return c, nil
}

// wait reads what the child writes until it ends.
func (c *child) wait(outputs []*os.File) error {
	var wg sync.WaitGroup
	for i, to := range []*bytes.Buffer{&c.bitcode, &c.log, &c.deps} {
		wg.Go(func() {
			io.Copy(to, outputs[i])
			outputs[i].Close()
		})
	}
	state, err := c.process.Wait()
	wg.Wait()
	if err == nil && !state.Success() {
		err = &exec.ExitError{ProcessState: state}
	}
	return err
}

// run gives the child its arguments and its source, and waits for it.
func (c *child) run(args []string, source []byte, stop <-chan struct{}) error {
	go func() {
		io.WriteString(c.args, responseFile(args))
		c.args.Close()
	}()
	go func() {
		c.stdin.Write(source)
		c.stdin.Close()
	}()
	select {
	case err := <-c.done:
		return err
	case <-stop:
		c.process.Kill()
		return <-c.done
	}
}

// responseFile quotes arguments as GNU's tools read them from a file: a backslash takes the next character literally.
func responseFile(args []string) string {
	var s strings.Builder
	for _, a := range args {
		for i := range len(a) {
			s.WriteByte('\\')
			s.WriteByte(a[i])
		}
		s.WriteByte('\n')
	}
	return s.String()
}
