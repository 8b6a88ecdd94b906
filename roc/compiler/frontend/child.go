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
	"time"
)

// child is a clang that has started and waits for its arguments. Loading clang's libraries takes longer than compiling a
// small kernel, so that one is kept ready. It reads arguments as a response file from descriptor 4, source from standard
// input, and writes bitcode to standard output and dependencies to descriptor 3.
type child struct {
	cmd          *exec.Cmd
	stdin        io.WriteCloser
	args         *os.File
	bitcode, log bytes.Buffer
	deps         bytes.Buffer
	done         chan error // how it ended, once
	depsRead     chan struct{}
}

// spawn starts a clang. The child dies with this process: that is bound to the life of the thread that started it, so a
// thread waits for it.
func spawn(clang string) (*child, error) {
	depsR, depsW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	argsR, argsW, err := os.Pipe()
	if err != nil {
		depsR.Close()
		depsW.Close()
		return nil, err
	}
	c := &child{cmd: exec.Command(clang, "-cc1", "@/proc/self/fd/4"), args: argsW, done: make(chan error, 1), depsRead: make(chan struct{})}
	c.cmd.Dir = "/"
	c.cmd.ExtraFiles = []*os.File{depsW, argsR}
	c.cmd.Stdout, c.cmd.Stderr = &c.bitcode, &c.log
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var err error
		if c.stdin, err = c.cmd.StdinPipe(); err == nil {
			err = c.cmd.Start()
		}
		depsW.Close()
		argsR.Close()
		started <- err
		if err == nil {
			c.done <- c.cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		argsW.Close()
		depsR.Close()
		return nil, err
	}
	go func() {
		io.Copy(&c.deps, depsR)
		depsR.Close()
		close(c.depsRead)
	}()
	return c, nil
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
	var err error
	select {
	case err = <-c.done:
	case <-stop:
		c.cmd.Process.Kill()
		err = <-c.done
	}
	<-c.depsRead
	return err
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

// spare is a child that waits for the next unit.
var spare struct {
	sync.Mutex // guards what follows
	child      *child
	expiry     *time.Timer
}

// spareLife is how long a spare clang waits before it is let go.
const spareLife = 10 * time.Second

// Prepare starts a clang for the next Run, if none is waiting. It is let go after a while.
func Prepare() {
	clang, err := Clang()
	if err != nil {
		return
	}
	spare.Lock()
	defer spare.Unlock()
	if spare.child != nil {
		return
	}
	if spare.child, err = spawn(clang); err == nil {
		spare.expiry = time.AfterFunc(spareLife, Release)
	}
}

// Release ends the clang that waits, if there is one.
func Release() {
	if c := takeSpare(); c != nil {
		c.args.Close()
		c.cmd.Process.Kill()
	}
}

func takeSpare() *child {
	spare.Lock()
	defer spare.Unlock()
	c := spare.child
	if c != nil {
		spare.child = nil
		spare.expiry.Stop()
	}
	return c
}
