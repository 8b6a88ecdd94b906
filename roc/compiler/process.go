package compiler

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/protocol"
	"aqueduct/roc/settings"
)

// process is a running aqueductc.
type process struct {
	pid  int
	conn *protocol.Conn
	log  *tail
	said chan struct{} // closed when nobody is left who could write to log
	gone chan struct{} // closed when it has ended
	why  string        // how it ended, as far as can be told; valid when gone is closed

	mu      sync.Mutex // guards what follows
	pending map[uint64]chan *protocol.Reply
	next    uint64
	dead    bool
	alone   bool // it was working on one request when it died
}

// crashed says that the process ended before it answered.
type crashed struct {
	why   string
	alone bool // nothing else was asked of it: this request is what it died of, unless it was killed
}

// killed is what a compiler died of that left no word.
const killed = "it was killed, or memory ran out"

func (c *crashed) Error() string { return "the compiler ended unexpectedly: " + c.why }

// detach is a script that leaves the compiler behind and tells its number. A process of Go's cannot fork, and a second start of
// its runtime takes longer than a shell does. A clang with much to load begins beside it, as the child it would have it start.
const detach = `{ if [ "$1" ]; then
	LD_PRELOAD=$2 LD_BIND_NOW=1 "$1" -cc1 @/proc/self/fd/4 0<>/dev/null 1>&0 2>&0 3>&0 4>&0 &
fi
exec "$0" serve ${1:+$!} >/dev/null 5>&-; } & echo $!`

// start runs the compiler. It ends when its socket closes, so at the latest with this process. A compiler is not a child of
// this process for longer than it takes to start: an application that waits for all its children would wait for it, too.
func start(path string) (*process, error) {
	path, err := exec.LookPath(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnavailable, err)
	}
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, notStarted(err)
	}
	theirs := os.NewFile(uintptr(fds[1]), "compiler")
	defer theirs.Close()
	mould, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		syscall.Close(fds[0])
		return nil, notStarted(err)
	}
	compilers, moulds := os.NewFile(uintptr(mould[0]), "compiler"), os.NewFile(uintptr(mould[1]), "mould")
	defer compilers.Close()
	defer moulds.Close()
	syscall.SetNonblock(fds[0], true) // for Go's poller: a pending Receive costs no thread
	ours := os.NewFile(uintptr(fds[0]), "compiler")
	said, says, err := os.Pipe()
	if err != nil {
		ours.Close()
		return nil, notStarted(err)
	}
	defer says.Close()

	p := &process{log: new(tail), said: make(chan struct{}), gone: make(chan struct{}), pending: map[uint64]chan *protocol.Reply{},
		conn: protocol.NewConn(&socket{ours})}
	clang, library := mouldOf(path)
	cmd := exec.Command("/bin/sh", "-c", detach, path, clang, library)
	cmd.Dir, cmd.Env = "/", append(slices.Clone(keepMemory), withoutPreload(os.Environ())...)
	cmd.ExtraFiles = []*os.File{theirs, compilers, moulds}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // keys of a terminal are for the application, which may live on
	cmd.Stderr = says
	if settings.Explain.On() { // the user is to read it, also when the application ends right after a build
		cmd.Stderr = os.Stderr
	}
	id, err := cmd.Output()
	if err == nil || errors.Is(err, syscall.ECHILD) { // that the application has waited for it first does no harm
		p.pid, err = strconv.Atoi(strings.TrimSpace(string(id)))
	}
	if err != nil {
		ours.Close()
		said.Close()
		return nil, notStarted(err)
	}
	go func() {
		defer close(p.said)
		defer said.Close()
		io.Copy(p.log, said)
	}()
	go p.receive()
	return p, nil
}

// notStarted is the error of a start that failed although there is a compiler.
func notStarted(err error) error { return fmt.Errorf("the compiler did not start: %w", err) }

// mouldOf finds the clang that the compiler at path will use, and the library that makes it a mould; "" if there is none.
func mouldOf(path string) (clang, library string) {
	dir := settings.Builtins.Value()
	if self, err := filepath.EvalSymlinks(path); dir == "" && err == nil {
		dir = filepath.Join(filepath.Dir(self), "builtins")
	}
	library = filepath.Join(dir, frontend.MouldName)
	if _, err := os.Stat(library); err != nil {
		return "", ""
	}
	clang, _ = frontend.Clang()
	return clang, library
}

// keepMemory tells the C library of the compiler, and that of clang, not to give memory back: LLVM needs as much for the next
// kernel, and took an eighth of the time of a small build for getting it again, page by page. What the user has set holds.
var keepMemory = []string{"MALLOC_TRIM_THRESHOLD_=67108864", "MALLOC_MMAP_THRESHOLD_=33554432"}

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
	select {
	case <-p.said:
	case <-time.After(time.Second): // a clang that outlives it may hold its standard error
	}
	if p.why = p.log.String(); p.why == "" {
		p.why = killed
	}
	close(p.gone)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead, p.alone = true, len(p.pending) == 1
	for _, answer := range p.pending {
		close(answer)
	}
}

// patience is how long after its deadline a build may still be answered: the compiler ends itself before, if it is not stopped.
const patience = 5 * time.Second

// kill ends the process, which does not answer.
func (p *process) kill() {
	if p.alive() {
		io.WriteString(p.log, "it did not answer in time")
		syscall.Kill(p.pid, syscall.SIGKILL)
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
	if r.Timeout > 0 {
		defer time.AfterFunc(r.Timeout+patience, p.kill).Stop()
	}
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
