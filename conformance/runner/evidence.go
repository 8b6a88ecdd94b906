package runner

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// DumpSignal is the signal on which the driver, told so by this setting, says what its queues and threads are doing.
const (
	DumpSetting = "AQUEDUCT_DUMP_SIGNAL"
	DumpSignal  = syscall.SIGQUIT
)

const (
	dumpTime    = 5 * time.Second  // for the driver's own words, of which the last must be this much before the end
	gdbTime     = 30 * time.Second // for gdb
	maxEvidence = 200_000          // bytes
)

// evidence collects what a process that hangs is doing: its threads as the kernel sees them, the driver's account of its
// queues if it gives one, and the stack of each thread if there is gdb. It reads lines, to which the driver's account comes.
func evidence(pid int, how string, lines <-chan string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n=== %s ===\n--- processes and threads\n", how)
	for _, p := range family(pid) {
		threads(&b, p)
	}
	if catches(pid, DumpSignal) {
		b.WriteString("--- the driver's account\n")
		syscall.Kill(pid, DumpSignal)
		quiet := time.NewTimer(dumpTime)
		defer quiet.Stop()
		end := time.After(4 * dumpTime)
	account:
		for {
			select {
			case text, ok := <-lines:
				if !ok {
					break account
				}
				b.WriteString(text + "\n")
				if text == "aqueduct: end of the dump" {
					break account
				}
				quiet.Reset(dumpTime)
			case <-quiet.C:
				break account
			case <-end:
				break account
			}
		}
	}
	b.WriteString("--- stacks\n" + stacks(pid, lines))
	text := b.String()
	if len(text) > maxEvidence {
		text = text[:maxEvidence] + "\n... (more in the log)\n"
	}
	return strings.ToValidUTF8(text, "�")
}

// stacks asks gdb. What the process prints meanwhile is thrown away, so that it does not stand in a full pipe.
func stacks(pid int, lines <-chan string) string {
	gdb, err := exec.LookPath("gdb")
	if err != nil {
		return "gdb is not installed\n"
	}
	ctx, cancel := context.WithTimeout(context.Background(), gdbTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, gdb, "-nx", "-batch", "-p", strconv.Itoa(pid), "-ex", "set width 0", "-ex", "thread apply all backtrace 40")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	done := make(chan error, 1)
	go func() { done <- cmd.Run() }()
	for {
		select {
		case _, ok := <-lines:
			if !ok {
				lines = nil
			}
		case err := <-done:
			if err != nil {
				fmt.Fprintf(&out, "gdb: %v\n", err)
			}
			return out.String()
		}
	}
}

// family is a process and those it started, at any depth.
func family(pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", all[i]))
		for _, t := range tasks {
			text, _ := os.ReadFile(t)
			for _, f := range strings.Fields(string(text)) {
				if p, err := strconv.Atoi(f); err == nil {
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// threads writes a line for each thread of a process: its name, whether it runs or sleeps and in what, and the time it has had.
func threads(b *strings.Builder, pid int) {
	command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	fmt.Fprintf(b, "process %d: %s\n", pid, strings.TrimSpace(strings.ReplaceAll(string(command), "\x00", " ")))
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for _, t := range tasks {
		stat, err := os.ReadFile(t + "/stat")
		if err != nil {
			continue
		}
		wchan, _ := os.ReadFile(t + "/wchan")
		// proc(5): the name stands in parentheses and may hold anything; state, ..., utime, stime are fields 3, 14 and 15
		open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
		if open < 0 || end < open {
			continue
		}
		f := strings.Fields(string(stat[end+1:]))
		if len(f) < 13 {
			continue
		}
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		fmt.Fprintf(b, "  thread %s %-16s %s in %-24s %6.2f s of processor\n", filepath.Base(t), stat[open+1:end], f[0], wchan, float64(user+system)/100)
	}
}

// catches reports whether a process has a handler for a signal.
func catches(pid int, s syscall.Signal) bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for _, line := range strings.Split(string(text), "\n") {
		if mask, ok := strings.CutPrefix(line, "SigCgt:"); ok {
			bits, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
			return err == nil && bits&(1<<(s-1)) != 0
		}
	}
	return false
}
