package device

import (
	"debug/elf"
	"encoding/binary"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// bench is a GPU with an AQL queue, which a test drives as ROCr and a driver would.
type bench struct {
	t        *testing.T
	gpu      *GPU
	ring     []byte
	amd      []byte // the amd_queue_t
	at       uint64 // its address
	doorbell uint64
	written  uint64
	inactive signal
}

const ringPackets = 16

// memory is zeroed memory that both sides access.
func (b *bench) memory(size uint64) (uint64, []byte) {
	at, status := b.gpu.Allocate(HostNode, (size+page-1)&^(page-1), FlagHostAccess)
	require.Equal(b.t, Success, status)
	require.Equal(b.t, Success, b.gpu.Map(at, true))
	return at, hostBytes(at, size)
}

func (b *bench) signal(value uint64) signal {
	at, bytes := b.memory(64)
	binary.LittleEndian.PutUint64(bytes[signalValue:], value)
	return signal(at)
}

func (b *bench) value(s signal) int64 { return b.gpu.signalValue(s) }

func newBench(t *testing.T, seed uint64) *bench {
	b := &bench{t: t, gpu: newGPU(t, seed)}
	ring, bytes := b.memory(ringPackets * packetSize)
	for i := 0; i < len(bytes); i += packetSize {
		bytes[i] = typeInvalid
	}
	b.ring = bytes
	b.at, b.amd = b.memory(page)
	b.inactive = b.signal(0)
	binary.LittleEndian.PutUint64(b.amd[queueInactive:], uint64(b.inactive))
	q, status := b.gpu.CreateQueue(AQLQueue, ring, uint64(len(bytes)), b.at+queueReadIndex, 0)
	require.Equal(t, Success, status)
	b.doorbell = q.Doorbell
	return b
}

// enqueue writes a packet and rings the doorbell. fill sets all but the header.
func (b *bench) enqueue(header uint16, fill func(p []byte)) {
	p := b.ring[b.written%ringPackets*packetSize:][:packetSize]
	clear(p[2:])
	fill(p)
	binary.LittleEndian.PutUint16(p, header)
	*word64(b.doorbell) = b.written
	b.written++
}

func (b *bench) barrier(header uint16, dependency, completion signal) {
	b.enqueue(header, func(p []byte) {
		binary.LittleEndian.PutUint64(p[offsetDependency:], uint64(dependency))
		binary.LittleEndian.PutUint64(p[offsetCompletion:], uint64(completion))
	})
}

// settle lets the GPU work until it has nothing to do.
func (b *bench) settle() {
	for i := 0; b.gpu.turn(); i++ {
		require.Less(b.t, i, 1000000, "the GPU does not come to an end")
	}
}

// assembled is the machine code of what was assembled before.
var assembled = map[string][]byte{}

func assemble(t *testing.T, code string) []byte {
	if text, ok := assembled[code]; ok {
		return text
	}
	object := filepath.Join(t.TempDir(), "kernel.o")
	c := exec.Command("clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx906", "-c", "-x", "assembler", "-o", object, "-")
	c.Stdin = strings.NewReader(code + "\ns_endpgm\n")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	f, err := elf.Open(object)
	require.NoError(t, err)
	defer f.Close()
	text, err := f.Section(".text").Data()
	require.NoError(t, err)
	assembled[code] = text
	return text
}

// kernel is one whose arguments are at s[0:1] and whose work-group's number is s2.
func (b *bench) kernel(code string) uint64 {
	text := assemble(b.t, code)
	at, bytes := b.memory(page)
	copy(bytes[256:], text)
	binary.LittleEndian.PutUint64(bytes[16:], 256)
	binary.LittleEndian.PutUint32(bytes[48:], 3|0xf0<<12) // 16 vector registers; denormals
	binary.LittleEndian.PutUint32(bytes[52:], 2<<1|1<<7)  // two scalar registers, then the number of the group
	bytes[56] = sgprKernarg
	return at
}

func (b *bench) dispatch(header uint16, kernel uint64, items uint32, group uint16, kernarg uint64, completion signal) {
	b.enqueue(header|typeDispatch, func(p []byte) {
		p[2] = 1
		for k, v := range []uint16{group, 1, 1} {
			binary.LittleEndian.PutUint16(p[4+2*k:], v)
		}
		for k, v := range []uint32{items, 1, 1} {
			binary.LittleEndian.PutUint32(p[12+4*k:], v)
		}
		binary.LittleEndian.PutUint64(p[32:], kernel)
		binary.LittleEndian.PutUint64(p[40:], kernarg)
		binary.LittleEndian.PutUint64(p[offsetCompletion:], uint64(completion))
	})
}

const (
	barrierBit = 1 << 8
	acquires   = 1 << 9
	releases   = 1 << 11
)

func TestABarrierPacketHoldsUpThoseBehindIt(t *testing.T) {
	b := newBench(t, 1)
	wait, first, second := b.signal(1), b.signal(1), b.signal(1)
	b.barrier(typeAnd, wait, first)
	b.barrier(typeAnd, 0, second)
	b.settle()
	require.EqualValues(t, 1, b.value(second), "while it waits")
	b.gpu.setSignal(wait, 0)
	b.settle()
	require.Zero(t, b.value(first))
	require.Zero(t, b.value(second))
	require.EqualValues(t, 2, binary.LittleEndian.Uint64(b.amd[queueReadIndex:]))
	require.EqualValues(t, typeInvalid, b.ring[0], "the slot is free again")
}

func TestEveryWorkItemRunsOnce(t *testing.T) {
	for seed := range uint64(5) {
		b := newBench(t, seed)
		data, bytes := b.memory(4 * 200)
		// data[group * 48 + item] += 1, with groups of 48, the last of which is partial.
		k := b.kernel("s_mul_i32 s3, s2, 48\nv_add_u32 v1, s3, v0\nv_lshlrev_b32 v1, 2, v1\nglobal_load_dword v2, v1, s[0:1]\nv_add_u32 v2, 1, v2\nglobal_store_dword v1, v2, s[0:1]")
		done := b.signal(1)
		b.dispatch(0, k, 150, 48, data, done)
		b.settle()
		require.Zero(t, b.value(done))
		for i := range 200 {
			require.Equal(t, bit(i < 150), binary.LittleEndian.Uint32(bytes[4*i:]), "item %d", i)
		}
	}
}

// tickets is the order in which eight work-groups came to a counter.
func tickets(t *testing.T, seed uint64) string {
	b := newBench(t, seed)
	data, bytes := b.memory(64)
	k := b.kernel("v_mov_b32 v1, 0\nv_mov_b32 v2, 1\ns_mov_b64 exec, 1\nglobal_atomic_add v3, v1, v2, s[0:1] glc\ns_lshl_b32 s3, s2, 2\nv_mov_b32 v4, s3\nglobal_store_dword v4, v3, s[0:1] offset:4")
	b.dispatch(0, k, 8*64, 64, data, 0)
	b.settle()
	var order strings.Builder
	for i := range 8 {
		order.WriteByte('0' + bytes[4+4*i])
	}
	return order.String()
}

func TestTheOrderOfWorkGroupsIsThatOfTheSeed(t *testing.T) {
	orders := map[string]bool{}
	for seed := range uint64(10) {
		order := tickets(t, seed)
		require.Equal(t, order, tickets(t, seed), "the same seed, the same order")
		orders[order] = true
	}
	require.Greater(t, len(orders), 3)
}

func TestAccessesThatNothingOrdersAreErrors(t *testing.T) {
	const write, add = "v_lshlrev_b32 v1, 2, v0\nv_mov_b32 v2, 7\nglobal_store_dword v1, v2, s[0:1]",
		"v_lshlrev_b32 v1, 2, v0\nglobal_load_dword v2, v1, s[0:1]\nv_add_u32 v2, 1, v2\nglobal_store_dword v1, v2, s[0:1]"
	for _, c := range []struct {
		name          string
		first, second uint16
		between       uint16 // header of a barrier packet, if any
		right         bool
	}{
		{"all fences", releases, barrierBit | acquires, 0, true},
		{"fences of a packet between", 0, barrierBit, typeAnd | barrierBit | acquires | releases, true},
		{"no release", 0, barrierBit | acquires, 0, false},
		{"no acquire", releases, barrierBit, 0, false},
		{"an acquire before the end", releases, acquires, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			failed := false
			for seed := range uint64(8) {
				b := newBench(t, seed)
				data, _ := b.memory(256)
				first, second, hold, done := b.kernel(write), b.kernel(add), b.signal(1), b.signal(1)
				b.barrier(typeAnd, hold, 0)
				b.dispatch(c.first, first, 64, 64, data, 0)
				if c.between != 0 {
					b.barrier(c.between, 0, 0)
				}
				b.dispatch(c.second, second, 64, 64, data, done)
				b.gpu.setSignal(hold, 0)
				b.settle()
				if c.right {
					require.Zero(t, b.value(b.inactive), "seed %d", seed)
					require.Zero(t, b.value(done))
				}
				failed = failed || b.value(b.inactive) == errorTrap
			}
			require.Equal(t, !c.right, failed)
		})
	}
}

func TestAPacketThatDoesNotExistHaltsItsQueueOnly(t *testing.T) {
	b := newBench(t, 0)
	b.barrier(99, 0, 0)
	done := b.signal(1)
	b.barrier(typeAnd, 0, done)
	b.settle()
	require.EqualValues(t, errorPacketFormat, b.value(b.inactive))
	require.EqualValues(t, 1, b.value(done), "what is behind it does not run")
}

func TestCopyEnginesCopyFillWaitAndCount(t *testing.T) {
	b := newBench(t, 0)
	ring, packets := b.memory(page)
	q, status := b.gpu.CreateQueue(SDMAQueue, ring, page, 0, 0)
	require.Equal(t, Success, status)
	const size = 100 * page // more than is copied at a time
	from, source := b.memory(size)
	to, target := b.memory(size)
	copy(source, "copied by the engine")
	source[size-1] = 9
	var n int
	put := func(words ...uint32) {
		for _, w := range words {
			binary.LittleEndian.PutUint32(packets[n:], w)
			n += 4
		}
	}
	low, high := func(a uint64) uint32 { return uint32(a) }, func(a uint64) uint32 { return uint32(a >> 32) }
	gate, done := uint64(b.signal(0))+signalValue, b.signal(2)
	put(sdmaPoll|3<<28|1<<31, low(gate), high(gate), 5, 0xff, 0)
	put(sdmaCopy, size-1, 0, low(from), high(from), low(to), high(to))
	put(sdmaFill, low(to+100), high(to+100), 0x01020304, 8-4)
	put(sdmaAtomic|atomicAdd<<25, low(uint64(done)+signalValue), high(uint64(done)+signalValue), 0xffffffff, 0xffffffff, 0, 0, 0)
	*word64(q.Doorbell) = uint64(n)
	b.settle()
	require.EqualValues(t, 2, b.value(done), "it waits")
	*word64(gate) = 5
	b.settle()
	require.EqualValues(t, 1, b.value(done))
	require.Equal(t, "copied by the engine", string(target[:20]))
	require.EqualValues(t, 9, target[size-1])
	require.Equal(t, []byte{0, 4, 3, 2, 1, 4, 3, 2, 1, 0}, target[99:109])
	require.EqualValues(t, n, *word64(q.Read))
}

// Two threads have packets and ring in the other order; only what was rung last is seen.
func TestARingForAnEarlierPacketDoesNotHideOneForALaterPacket(t *testing.T) {
	b := newBench(t, 1)
	first, second := b.signal(1), b.signal(1)
	b.barrier(typeAnd, 0, first)
	b.barrier(typeAnd, 0, second)
	*word64(b.doorbell) = 0
	require.Eventually(t, func() bool { b.gpu.turn(); return b.value(second) == 0 }, 10*time.Second, time.Millisecond)
	require.Zero(t, b.value(first))
}
