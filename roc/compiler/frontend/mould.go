package frontend

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Loading clang's libraries takes longer than compiling a small kernel. So one clang, the mould, loads them, goes no further, and
// makes copies of itself, each of which compiles one unit after another. What makes a clang a mould is a library that is loaded into it.

//go:embed mould/mould.c
var mouldSource []byte

// MouldName is the library's, in the folder of the builtin library.
const MouldName = "mould.so"

// mouldLife is how long a mould and its idle copies stay after the last unit.
const mouldLife = 10 * time.Second

// mouldSocket is the mould's descriptor for requests.
const mouldSocket = 5

var mould struct {
	sync.Mutex        // guards what follows, and the socket's pairs of request and answer
	library    string // "": there is none, or it does not work with this clang
	socket     int    // if running
	running    bool
	idle       []*moulded // last used last
	expiry     *time.Timer
}

var errNoMould = errors.New("there is no mould of clang")

// UseMould names a file with the library that BuildMould made. Without one each unit gets a clang that loads its libraries.
func UseMould(library string) {
	mould.Lock()
	defer mould.Unlock()
	if _, err := os.Stat(library); err == nil {
		mould.library = library
	}
}

// AdoptMould takes over a mould that was started for this process: its child pid, at the other end of a socket.
func AdoptMould(pid, socket int) {
	mould.Lock()
	defer mould.Unlock()
	syscall.CloseOnExec(socket)
	mould.socket, mould.running = socket, true
	mould.expiry = time.AfterFunc(mouldLife, Release)
	if p, err := os.FindProcess(pid); err == nil {
		go p.Wait()
	}
}

// Prepare starts the mould for the next Run, unless it is there. It is let go after a while.
func Prepare() {
	clang, err := Clang()
	if err != nil {
		return
	}
	mould.Lock()
	defer mould.Unlock()
	if mould.library != "" {
		startMould(clang)
	}
}

// Release ends the mould, if there is one, and those of its copies that are idle.
func Release() {
	mould.Lock()
	defer mould.Unlock()
	endMould()
}

// copyMould makes a process of the mould, which takes requests at the other end of the socket. Like any child it is to be waited
// for, and dies with this process.
func copyMould(clang string) (*moulded, error) {
	if mould.library == "" {
		return nil, errNoMould
	}
	err := startMould(clang)
	for range 2 { // the one that was there may have been ended from outside
		if err != nil {
			break
		}
		var c *moulded
		if c, err = askMould(); err == nil {
			return c, nil
		}
		endMould()
		err = startMould(clang)
	}
	mould.library = ""
	return nil, errNoMould
}

// askMould sends a request.
func askMould() (*moulded, error) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	err = request(mould.socket, pair[1])
	syscall.Close(pair[1])
	var answer [4]byte
	n := 0
	if err == nil {
		n, err = syscall.Read(mould.socket, answer[:])
		for err == syscall.EINTR {
			n, err = syscall.Read(mould.socket, answer[:])
		}
	}
	pid := int32(binary.LittleEndian.Uint32(answer[:]))
	switch {
	case err != nil:
	case n != len(answer):
		err = errNoMould
	case pid < 0:
		err = syscall.Errno(-pid)
	default:
		return newMoulded(int(pid), pair[0])
	}
	syscall.Close(pair[0])
	return nil, err
}

// request sends a message with descriptors.
func request(socket int, files ...int) error {
	return syscall.Sendmsg(socket, []byte{0}, syscall.UnixRights(files...), nil, syscall.MSG_NOSIGNAL)
}

// startMould starts the mould, unless it runs, and puts off its end.
func startMould(clang string) error {
	if mould.running {
		mould.expiry.Reset(mouldLife)
		return nil
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	theirs := os.NewFile(uintptr(pair[1]), "mould")
	defer theirs.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		syscall.Close(pair[0])
		return err
	}
	defer null.Close()
	preload := mould.library
	if others := os.Getenv("LD_PRELOAD"); others != "" {
		preload += ":" + others
	}
	attr := &os.ProcAttr{Dir: "/", Files: []*os.File{null, null, null, null, null, mouldSocket: theirs},
		Env: append(os.Environ(), "LD_PRELOAD="+preload, "LD_BIND_NOW=1"), Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}}
	started := make(chan error)
	go func() { // on a thread that outlives the mould: copies are its children, too
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		p, err := os.StartProcess(clang, command, attr)
		started <- err
		if err == nil {
			p.Wait()
		}
	}()
	if err := <-started; err != nil {
		syscall.Close(pair[0])
		return err
	}
	mould.socket, mould.running = pair[0], true
	mould.expiry = time.AfterFunc(mouldLife, Release)
	return nil
}

// endMould ends the mould, if it runs, and its idle copies.
func endMould() {
	for _, c := range mould.idle {
		c.dismiss()
	}
	mould.idle = nil
	if mould.running {
		mould.expiry.Stop()
		syscall.Close(mould.socket)
		mould.running = false
	}
}

// BuildMould makes the library for UseMould.
func BuildMould(ctx context.Context) ([]byte, error) {
	clang, err := Clang()
	if err != nil {
		return nil, err
	}
	linker, err := Linker()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "aqueduct-mould-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	object, out := filepath.Join(dir, "mould.o"), filepath.Join(dir, "mould.so")
	for _, args := range [][]string{
		{clang, "-cc1", "-triple", "x86_64-unknown-linux-gnu", "-O2", "-emit-obj", "-mrelocation-model", "pic", "-pic-level", "2",
			"-ffreestanding", "-x", "c", "-Wall", "-Werror", "-o", object, "-"},
		{linker, "-shared", "-s", "-z", "now", "--build-id=none", "-o", out, object},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Stdin = bytes.NewReader(mouldSource)
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", args[0], err, text)
		}
	}
	return os.ReadFile(out)
}
