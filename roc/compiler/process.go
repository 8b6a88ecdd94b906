package compiler

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"aqueduct/roc/compiler/protocol"
)

// process is a running aqueductc.
type process struct {
	conn *protocol.Conn
	cmd  *exec.Cmd
	gone chan struct{} // closed when it has ended and been waited for
	why  string        // how it ended; valid when gone is closed

	mu      sync.Mutex // guards what follows
	pending map[uint64]chan *protocol.Reply
	next    uint64
	dead    bool
	alone   bool // it was working on one request when it died
}

// crashed says that the process ended before it answered.
type crashed struct {
	why   string
	alone bool // nothing else was asked of it: this request is what it died of
}

func (c *crashed) Error() string { return "the compiler ended unexpectedly: " + c.why }

// start runs the compiler. It dies with this process: when its socket closes, or by a signal of the kernel's. That signal is
// bound to the thread that starts it, so a thread of its own does, and then waits for it to end, which leaves no zombie. No
// other signal disposition is touched, and a wait of the application's that takes the child away does no harm.
func start(path string) (*process, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnavailable, err)
	}
	theirs := os.NewFile(uintptr(fds[1]), "compiler")
	defer theirs.Close()
	syscall.SetNonblock(fds[0], true) // for Go's poller: a pending Receive costs no thread
	ours := os.NewFile(uintptr(fds[0]), "compiler")

	log := new(tail)
	p := &process{gone: make(chan struct{}), pending: map[uint64]chan *protocol.Reply{}, conn: protocol.NewConn(&socket{ours})}
	p.cmd = exec.Command(path, "serve")
	p.cmd.Dir, p.cmd.Env = "/", withoutPreload(os.Environ())
	p.cmd.ExtraFiles = []*os.File{theirs}
	p.cmd.Stderr = log
	p.cmd.WaitDelay = time.Second // a clang that outlives it may hold its standard error
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.why = "exit status 0"
		if err := p.cmd.Wait(); err != nil {
			p.why = err.Error()
		}
		if s := log.String(); s != "" {
			p.why += "\n" + s
		}
		close(p.gone)
	}()
	if err := <-started; err != nil {
		ours.Close()
		return nil, fmt.Errorf("%w: %v", ErrUnavailable, err)
	}
	go p.receive()
	return p, nil
}

// withoutPreload drops what would load the application's interposers into the compiler.
func withoutPreload(env []string) (r []string) {
	for _, e := range env {
		if !strings.HasPrefix(e, "LD_PRELOAD=") {
			r = append(r, e)
		}
	}
	return r
}

// receive hands out replies until the process is gone, then fails what is left.
func (p *process) receive() {
	for {
		r := new(protocol.Reply)
		if p.conn.Receive(r) != nil {
			break
		}
		p.mu.Lock()
		answer := p.pending[r.ID]
		delete(p.pending, r.ID)
		p.mu.Unlock()
		if answer != nil {
			answer <- r
		}
	}
	p.conn.Close()
	<-p.gone
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead, p.alone = true, len(p.pending) == 1
	for _, answer := range p.pending {
		close(answer)
	}
}

// ask sends a request and waits for the reply. The error is a *crashed.
func (p *process) ask(r *protocol.Request) (*protocol.Reply, error) {
	answer := make(chan *protocol.Reply, 1)
	message := *r
	p.mu.Lock()
	if p.dead {
		p.mu.Unlock()
		return nil, &crashed{why: p.why}
	}
	p.next++
	message.ID = p.next
	p.pending[message.ID] = answer
	p.mu.Unlock()
	p.conn.Send(&message) // if it fails the process is gone, and receive closes answer
	if reply := <-answer; reply != nil {
		return reply, nil
	}
	return nil, &crashed{why: p.why, alone: p.alone}
}

// socket is a socket that raises no SIGPIPE, whose disposition is the application's.
type socket struct{ *os.File }

func (s *socket) Write(b []byte) (n int, err error) {
	raw, err := s.SyscallConn()
	if err != nil {
		return 0, err
	}
	for n < len(b) && err == nil {
		var sent int
		var failed error
		err = raw.Write(func(fd uintptr) bool {
			sent, failed = syscall.SendmsgN(int(fd), b[n:], nil, nil, syscall.MSG_NOSIGNAL)
			return failed != syscall.EAGAIN
		})
		if n += max(sent, 0); err == nil && failed != syscall.EINTR {
			err = failed
		}
	}
	return n, err
}

func (p *process) alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.dead
}

// close ends the process.
func (p *process) close() { p.conn.Close() }

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex // guards text
	text []byte
}

const tailSize = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text) - tailSize; n > 0 {
		t.text = t.text[n:]
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
