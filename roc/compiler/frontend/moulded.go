package frontend

import (
	"encoding/binary"
	"fmt"
	"os"
	"syscall"
)

// moulded is a copy of the mould.
type moulded struct {
	process *os.Process
	socket  *os.File
	units   int        // compiled so far; guarded by mould
	exit    chan error // how the process ended, once
	gone    bool       // it has; written before child.done is told, and read after
}

// mostUnits is how many units a copy compiles before another takes its place, should clang keep some memory of each.
const mostUnits = 256

// newMoulded is for a copy with its end of a socket.
func newMoulded(pid, socket int) (*moulded, error) {
	if err := syscall.SetNonblock(socket, true); err != nil {
		return nil, err
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return nil, err
	}
	c := &moulded{process: process, socket: os.NewFile(uintptr(socket), "copy of the mould"), exit: make(chan error, 1)}
	go func() { c.exit <- howEnded(process.Wait()) }()
	return c, nil
}

// useCopy has a copy compile what comes by files, its descriptors 0 to 4. The caller waits for ended, and then keeps the copy.
func useCopy(clang string, files []*os.File) (*moulded, error) {
	mould.Lock()
	defer mould.Unlock()
	for n := len(mould.idle); n > 0; n = len(mould.idle) {
		c := mould.idle[n-1]
		mould.idle = mould.idle[:n-1]
		if c.ask(files) == nil && startMould(clang) == nil {
			return c, nil
		}
		c.dismiss() // it was ended from outside
	}
	c, err := copyMould(clang)
	if err == nil {
		if err = c.ask(files); err != nil {
			c.dismiss()
		}
	}
	return c, err
}

// ask sends a request.
func (c *moulded) ask(files []*os.File) error {
	var fds []int
	for _, f := range files {
		fds = append(fds, int(f.Fd()))
	}
	c.units++
	socket, err := c.socket.SyscallConn()
	if err != nil {
		return err
	}
	if failed := socket.Control(func(fd uintptr) { err = request(int(fd), fds...) }); failed != nil {
		return failed
	}
	return err
}

// ended waits until a unit is compiled, and says how that ended.
func (c *moulded) ended() error {
	var answer [4]byte
	if n, _ := c.socket.Read(answer[:]); n < len(answer) {
		c.gone = true
		return <-c.exit
	}
	switch status := int32(binary.LittleEndian.Uint32(answer[:])); status {
	case 0:
		return nil
	case 1:
		return errRefused
	default:
		return fmt.Errorf("it ended with status %d", status)
	}
}

// keep has the copy wait for the next unit.
func (c *moulded) keep() {
	mould.Lock()
	defer mould.Unlock()
	if c.gone || c.units == mostUnits || !mould.running {
		c.dismiss()
		return
	}
	mould.idle = append(mould.idle, c)
}

// dismiss ends an idle copy.
func (c *moulded) dismiss() { c.socket.Close() }
