package device

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// whereKernel has each work-group store its HW_ID at its number.
const whereKernel = "s_getreg_b32 s3, hwreg(HW_REG_HW_ID)\ns_lshl_b32 s4, s2, 2\nv_mov_b32 v1, s4\nv_mov_b32 v2, s3\ns_mov_b64 exec, 1\nglobal_store_dword v1, v2, s[0:1]"

// seen are the compute units, as masks number them, that ran n work-groups.
func (b *bench) seen(n int) map[int]bool {
	data, bytes := b.memory(uint64(4 * n))
	done := b.signal(1)
	b.dispatch(barrierBit, b.kernel(whereKernel), uint32(64*n), 64, data, done)
	b.settle()
	require.Zero(b.t, b.value(done))
	units := map[int]bool{}
	for i := range n {
		id := int(binary.LittleEndian.Uint32(bytes[4*i:]))
		units[id>>8&15*4+id>>13&3] = true
	}
	return units
}

func TestAMaskKeepsAQueueToItsComputeUnits(t *testing.T) {
	b := newBench(t, 1)
	q := b.gpu.queues[0].id
	require.Len(t, b.seen(2000), 60, "without a mask all take part")
	require.Equal(t, Success, b.gpu.SetUnits(q, []uint32{1<<3 | 1<<31, 1 << 10}))
	require.Equal(t, map[int]bool{3: true, 31: true, 42: true}, b.seen(200))
	require.Equal(t, InvalidParameter, b.gpu.SetUnits(q, []uint32{0, 1 << 31}), "there is no such unit")
	require.Equal(t, InvalidHandle, b.gpu.SetUnits(q+1, []uint32{1}))
	require.Equal(t, Success, b.gpu.SetUnits(q, []uint32{1 << 7}))
	require.Equal(t, map[int]bool{7: true}, b.seen(100))
}
