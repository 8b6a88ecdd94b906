package soft

import (
	"math/bits"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// cores is how many threads of this process can run at a time, of those its affinity mask allows: what the CPU quotas of its
// control groups do.
func cores(allowed int) int {
	if limit := quota("/proc/self/cgroup", "/sys/fs/cgroup"); limit > 0 {
		return min(allowed, limit)
	}
	return allowed
}

// affinity lists the CPUs of sched_getaffinity, at least one.
func affinity() (cpus []int) {
	var mask [1024]uint64 // 65536 CPUs
	n, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
	if errno != 0 || n == 0 {
		return []int{0}
	}
	for i, word := range mask[:n/8] {
		for ; word != 0; word &= word - 1 {
			cpus = append(cpus, 64*i+bits.TrailingZeros64(word))
		}
	}
	return cpus
}

// cpu is the number of the CPU that the calling thread runs on.
func cpu() int {
	const getcpu = 309
	var n uint32
	syscall.RawSyscall(getcpu, uintptr(unsafe.Pointer(&n)), 0, 0)
	return int(n)
}

// keepTo has the calling thread run on one CPU alone. A CPU that is gone leaves it where it is.
func keepTo(cpu int) {
	var mask [1024]uint64
	mask[cpu/64] = 1 << (cpu % 64)
	syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
}

// quota returns the CPUs that the control groups listed in file allow, rounded up; 0 if they do not limit them. Groups of
// version 2 have a cpu.max, those of version 1 two files; a limit holds for all groups below.
func quota(file, mount string) int {
	list, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	limit := 0
	lower := func(n int) {
		if n > 0 && (limit == 0 || n < limit) {
			limit = n
		}
	}
	for line := range strings.Lines(string(list)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		controllers, group := fields[1], fields[2]
		for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
			if controllers == "" {
				lower(quotaV2(path.Join(mount, dir, "cpu.max")))
				lower(quotaV2(path.Join(mount, "unified", dir, "cpu.max")))
			} else if strings.Contains(","+controllers+",", ",cpu,") {
				for _, hierarchy := range []string{controllers, "cpu"} {
					at := path.Join(mount, hierarchy, dir)
					lower(ratio(content(at+"/cpu.cfs_quota_us"), content(at+"/cpu.cfs_period_us")))
				}
			}
			if dir == "/" {
				break
			}
		}
	}
	return limit
}

func quotaV2(file string) int {
	fields := strings.Fields(content(file))
	if len(fields) != 2 {
		return 0
	}
	return ratio(fields[0], fields[1])
}

func content(file string) string {
	b, _ := os.ReadFile(file)
	return strings.TrimSpace(string(b))
}

// ratio divides two numbers, rounding up; 0 if either is none, as "max" and "-1".
func ratio(quota, period string) int {
	q, err1 := strconv.Atoi(quota)
	p, err2 := strconv.Atoi(period)
	if err1 != nil || err2 != nil || q <= 0 || p <= 0 {
		return 0
	}
	return (q + p - 1) / p
}
