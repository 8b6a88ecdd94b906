package soft

import (
	"bufio"
	"crypto/sha256"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"aqueduct/roc/hsa"
	"aqueduct/roc/isa"
)

const (
	localMemory  = 64 << 10
	maxWorkGroup = 4096
)

// describe says what the agent is.
func describe(units int) hsa.Info {
	cpu := cpuinfo("/proc/cpuinfo")
	name := cpu["model name"]
	if name == "" {
		name = runtime.GOARCH + " processor"
	}
	memory := physicalMemory()
	info := hsa.Info{
		Name:         name,
		Vendor:       cpu["vendor_id"],
		CPU:          true,
		DeviceQueues: true,
		ISA:          "x86_64",
		VendorID:     pciVendor(cpu["vendor_id"]),
		ComputeUnits: uint32(units),
		ClockMHz:     clock(cpu),
		GlobalMemory: memory,
		MaxAlloc:     memory / 2,
		LocalMemory:  localMemory,
		CacheSize:    cache(cpu),
		CacheLine:    64,
		MaxWorkGroup: maxWorkGroup,
		Features:     isa.Within(features(cpu["flags"])),
	}
	info.WaveSize = lanes(info.Features)
	if line, err := strconv.Atoi(cpu["clflush size"]); err == nil {
		info.CacheLine = uint32(line)
	}
	sum := sha256.Sum256([]byte("aqueduct embedded agent\x00" + name))
	copy(info.UUID[:], sum[:])
	return info
}

// lanes is how many work-items run in lockstep: those whose floats fill a register.
func lanes(features []string) uint32 {
	switch {
	case slices.Contains(features, "+avx512f"):
		return 16
	case slices.Contains(features, "+avx"):
		return 8
	}
	return 4
}

// cpuinfo reads the description of the first processor.
func cpuinfo(file string) map[string]string {
	cpu := make(map[string]string)
	f, err := os.Open(file)
	if err != nil {
		return cpu
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, value, ok := strings.Cut(lines.Text(), ":")
		if !ok {
			break // the blank line after a processor
		}
		cpu[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	return cpu
}

// pciVendor is the PCI vendor ID of who made the processor, or 0.
func pciVendor(cpuid string) uint32 {
	switch cpuid {
	case "AuthenticAMD":
		return 0x1022
	case "GenuineIntel":
		return 0x8086
	}
	return 0
}

func clock(cpu map[string]string) uint32 {
	if khz, err := strconv.Atoi(content("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")); err == nil {
		return uint32(khz / 1000)
	}
	mhz, _ := strconv.ParseFloat(cpu["cpu MHz"], 64)
	return uint32(mhz)
}

func cache(cpu map[string]string) uint64 {
	kb, _ := strconv.ParseUint(strings.TrimSuffix(cpu["cache size"], " KB"), 10, 64)
	return kb << 10
}

func physicalMemory() uint64 {
	var si syscall.Sysinfo_t
	if syscall.Sysinfo(&si) != nil {
		return 1 << 30
	}
	memory := si.Totalram * uint64(max(si.Unit, 1))
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if limit, err := strconv.ParseUint(content(file), 10, 64); err == nil {
			memory = min(memory, limit)
		}
	}
	return memory
}

// llvmNames are features as the kernel lists them, where LLVM has another name for them.
var llvmNames = map[string]string{
	"pni": "sse3", "sse4_1": "sse4.1", "sse4_2": "sse4.2", "abm": "lzcnt", "cx16": "cx16", "rdrand": "rdrnd",
	"avx512vl": "avx512vl", "avx512_vnni": "avx512vnni", "avx512_bf16": "avx512bf16", "avx512_fp16": "avx512fp16",
	"avx512_vbmi2": "avx512vbmi2", "avx512_bitalg": "avx512bitalg", "avx512_vpopcntdq": "avx512vpopcntdq",
	"avx_vnni": "avxvnni",
}

// llvmSame are features that both call the same.
var llvmSame = []string{
	"sse", "sse2", "ssse3", "avx", "avx2", "fma", "f16c", "popcnt", "bmi1", "bmi2", "movbe", "aes", "pclmulqdq", "sha_ni",
	"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512ifma", "avx512vbmi", "gfni", "vaes", "vpclmulqdq",
}

// features turns the flags of /proc/cpuinfo into features as LLVM names them.
func features(flags string) []string {
	has := make(map[string]bool)
	for _, f := range strings.Fields(flags) {
		has[f] = true
	}
	var list []string
	for _, f := range llvmSame {
		switch {
		case !has[f]:
		case f == "bmi1":
			list = append(list, "+bmi")
		case f == "pclmulqdq":
			list = append(list, "+pclmul")
		case f == "sha_ni":
			list = append(list, "+sha")
		default:
			list = append(list, "+"+f)
		}
	}
	for _, f := range strings.Fields(flags) {
		if name := llvmNames[f]; name != "" {
			list = append(list, "+"+name)
		}
	}
	return list
}
