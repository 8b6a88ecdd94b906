package cl

import (
	"encoding/binary"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestPipesAreCheckedAsTheyAreCreated(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_pipes")
	for _, c := range []struct {
		flags            uint64
		packets, maximum uint32
		properties       bool
		want             Status
	}{
		{0, 4, 16, false, CL_SUCCESS},
		{CL_MEM_READ_WRITE, 1, 1, false, CL_SUCCESS},
		{CL_MEM_HOST_NO_ACCESS | CL_MEM_READ_WRITE, maxPacketSize, 3, false, CL_SUCCESS},
		{CL_MEM_READ_ONLY, 4, 16, false, CL_INVALID_VALUE},
		{CL_MEM_HOST_READ_ONLY, 4, 16, false, CL_INVALID_VALUE},
		{CL_MEM_ALLOC_HOST_PTR, 4, 16, false, CL_INVALID_VALUE},
		{0, 4, 16, true, CL_INVALID_VALUE},
		{0, 0, 16, false, CL_INVALID_PIPE_SIZE},
		{0, 4, 0, false, CL_INVALID_PIPE_SIZE},
		{0, maxPacketSize + 1, 16, false, CL_INVALID_PIPE_SIZE},
		{0, maxPacketSize, 1<<32 - 1, false, CL_MEM_OBJECT_ALLOCATION_FAILURE},
	} {
		p, st := f.ctx.CreatePipe(c.flags, c.packets, c.maximum, c.properties)
		require.Equal(t, c.want, st, "%+v", c)
		if p != nil {
			p.Release()
		}
	}
}

func (f *fixture) pipe(packetSize, maxPackets uint32) *Mem {
	f.Helper()
	p, st := f.ctx.CreatePipe(0, packetSize, maxPackets, false)
	require.Equal(f, CL_SUCCESS, st)
	f.Cleanup(func() { p.Release() })
	return p
}

func TestPipesSayWhatTheyAre(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_pipes")
	p, b := f.pipe(12, 5), f.buffer(64)
	defer b.Release()
	number := func(query func(uint32, Out) Status, param uint32) uint64 {
		var out [8]byte
		require.Equal(t, CL_SUCCESS, query(param, Out{Value: Addr(unsafe.Pointer(&out[0])), Size: 8}))
		return binary.NativeEndian.Uint64(out[:])
	}
	require.EqualValues(t, 12, number(p.PipeInfo, CL_PIPE_PACKET_SIZE))
	require.EqualValues(t, 5, number(p.PipeInfo, CL_PIPE_MAX_PACKETS))
	require.EqualValues(t, CL_MEM_OBJECT_PIPE, number(p.Info, CL_MEM_TYPE))
	require.EqualValues(t, CL_MEM_READ_WRITE|CL_MEM_HOST_NO_ACCESS, number(p.Info, CL_MEM_FLAGS))
	require.EqualValues(t, 60, number(p.Info, CL_MEM_SIZE))
	var size uintptr = 99
	require.Equal(t, CL_SUCCESS, p.PipeInfo(CL_PIPE_PROPERTIES, Out{SizeRet: Addr(unsafe.Pointer(&size))}))
	require.Zero(t, size)
	require.Equal(t, CL_INVALID_VALUE, p.PipeInfo(CL_MEM_TYPE, Out{}))
	require.Equal(t, CL_INVALID_MEM_OBJECT, b.PipeInfo(CL_PIPE_PACKET_SIZE, Out{}))
	require.Equal(t, CL_INVALID_MEM_OBJECT, p.ImageInfo(CL_IMAGE_WIDTH, Out{}))
}

// A pipe is neither a buffer nor an image.
func TestPipesAreNoBuffers(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_pipes")
	p := f.pipe(4, 16)
	_, st := p.CreateSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &BufferRegion{0, 4})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
	_, _, st = f.q.MapBuffer(p, true, CL_MAP_READ, 0, 4, Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
	_, st = f.q.FillBuffer(p, []byte{1}, 0, 4, Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
	_, st = f.ctx.CreateImage(nil, 0, &ImageFormat{Order: CL_R, Type: CL_UNSIGNED_INT8}, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_BUFFER, Width: 4, Mem: p}, nil)
	require.Equal(t, CL_INVALID_IMAGE_DESCRIPTOR, st)
}

const pipeSource = `
typedef struct { ushort a; char b[4]; } Odd;
kernel void put(write_only pipe uint p, global const uint *in, global uint *failed) {
	size_t i = get_global_id(0);
	failed[i] = write_pipe(p, &in[i]) != 0;
}
kernel void take(read_only pipe uint p, global uint *out, global uint *failed) {
	size_t i = get_global_id(0);
	uint x = 0;
	failed[i] = read_pipe(p, &x) != 0;
	out[i] = x;
}
// Reservations of two are committed in the opposite order.
kernel void put_pairs(write_only pipe uint p, global const uint *in, global uint *seen) {
	reserve_id_t a = reserve_write_pipe(p, 2), b = reserve_write_pipe(p, 2), none = reserve_write_pipe(p, 1000);
	seen[0] = is_valid_reserve_id(a) + 2 * is_valid_reserve_id(b) + 4 * is_valid_reserve_id(none) + 8 * is_valid_reserve_id(CLK_NULL_RESERVE_ID);
	write_pipe(p, b, 1, &in[3]); write_pipe(p, b, 0, &in[2]);
	seen[1] = write_pipe(p, b, 2, &in[0]) < 0;
	commit_write_pipe(p, b);
	write_pipe(p, a, 0, &in[0]); write_pipe(p, a, 1, &in[1]);
	seen[2] = get_pipe_num_packets(p);
	seen[3] = get_pipe_max_packets(p);
	commit_write_pipe(p, a);
}
kernel void put_group(write_only pipe uint p, global const uint *in, global uint *failed) {
	size_t i = get_global_id(0), l = get_local_id(0);
	reserve_id_t r = work_group_reserve_write_pipe(p, get_local_size(0));
	failed[i] = 1;
	if (is_valid_reserve_id(r)) {
		failed[i] = write_pipe(p, r, l, &in[i]) != 0;
		work_group_commit_write_pipe(p, r);
	}
}
kernel void take_group(read_only pipe uint p, global uint *out, global uint *failed) {
	size_t i = get_global_id(0), l = get_local_id(0);
	reserve_id_t r = work_group_reserve_read_pipe(p, get_local_size(0));
	uint x = 0;
	failed[i] = 1;
	if (is_valid_reserve_id(r)) {
		failed[i] = read_pipe(p, r, l, &x) != 0;
		work_group_commit_read_pipe(p, r);
	}
	out[i] = x;
}
kernel void put_sub_group(write_only pipe uint p, global const uint *in, global uint *failed) {
	size_t i = get_global_id(0);
	reserve_id_t r = sub_group_reserve_write_pipe(p, get_sub_group_size());
	failed[i] = !is_valid_reserve_id(r) || write_pipe(p, r, get_sub_group_local_id(), &in[i]);
	sub_group_commit_write_pipe(p, r);
}
kernel void take_sub_group(read_only pipe uint p, global uint *out, global uint *failed) {
	size_t i = get_global_id(0);
	reserve_id_t r = sub_group_reserve_read_pipe(p, get_sub_group_size());
	uint x = 0;
	failed[i] = !is_valid_reserve_id(r) || read_pipe(p, r, get_sub_group_local_id(), &x);
	sub_group_commit_read_pipe(p, r);
	out[i] = x;
}
kernel void put_odd(write_only pipe Odd p, global uint *out) {
	Odd o = {get_global_id(0), {1, 2, 3, get_global_id(0)}};
	out[get_global_id(0)] = write_pipe(p, &o) != 0;
}
kernel void take_odd(read_only pipe Odd p, global uint *out) {
	Odd o = {};
	int st = read_pipe(p, &o);
	out[get_global_id(0)] = st != 0 || o.b[2] != 3 || o.b[3] != o.a;
}
`

// Every packet comes out once, whoever puts it in and takes it out, and as many as the pipe holds.
func TestPacketsComeOutOnce(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_pipes")
	prog := f.program(pipeSource, "-cl-std=CL3.0")
	defer prog.Release()
	const n, room, group = 4096, 3072, 64
	for _, how := range []struct{ put, take string }{{"put", "take"}, {"put_group", "take"}, {"put", "take_group"}, {"put_sub_group", "take_sub_group"}} {
		t.Run(how.put+", "+how.take, func(t *testing.T) {
			put, take := f.kernel(prog, how.put), f.kernel(prog, how.take)
			defer put.Release()
			defer take.Release()
			p := f.pipe(4, room)
			for round := range uint32(3) { // the ring goes round
				in, out, refused := make([]uint32, n), make([]uint32, n), make([]uint32, n)
				for i := range in {
					in[i] = uint32(i) + 1 + round*n
				}
				f.runGroups(put, n, group, p, in, refused)
				require.EqualValues(t, n-room, sum(refused))
				var want []uint32
				for i, r := range refused {
					if r == 0 {
						want = append(want, in[i])
					}
				}
				f.runGroups(take, n, group, p, out, refused)
				require.EqualValues(t, n-room, sum(refused))
				var got []uint32
				for i, r := range refused {
					if r == 0 {
						got = append(got, out[i])
					}
				}
				slices.Sort(got)
				require.Equal(t, want, got)
			}
		})
	}
}

func sum(a []uint32) (n uint64) {
	for _, x := range a {
		n += uint64(x)
	}
	return n
}

// "the entries reserved for writing are all added in-order as one contiguous set of packets to the pipe"
func TestReservationsKeepTheirOrderHoweverTheyAreCommitted(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_pipes")
	prog := f.program(pipeSource, "-cl-std=CL3.0")
	defer prog.Release()
	put, take := f.kernel(prog, "put_pairs"), f.kernel(prog, "take")
	defer put.Release()
	defer take.Release()
	p := f.pipe(4, 7)
	for range 5 {
		seen := make([]uint32, 4)
		f.run(put, 1, p, []uint32{10, 20, 30, 40}, seen)
		require.Equal(t, []uint32{3, 1, 4, 7}, seen)
		for i := range uint32(4) {
			out, failed := make([]uint32, 1), make([]uint32, 1)
			f.run(take, 1, p, out, failed)
			require.Equal(t, []uint32{10 * (i + 1), 0}, []uint32{out[0], failed[0]})
		}
	}
}

func TestPacketsMayBeOfAnyTypeButMustFitThePipe(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_pipes")
	prog := f.program(pipeSource, "-cl-std=CL3.0")
	defer prog.Release()
	put, take := f.kernel(prog, "put_odd"), f.kernel(prog, "take_odd")
	defer put.Release()
	defer take.Release()
	p, other := f.pipe(6, 33), f.pipe(4, 33)
	for range 3 {
		failed := make([]uint32, 33)
		f.run(put, 33, p, failed)
		require.Zero(t, sum(failed))
		f.run(take, 33, p, failed)
		require.Zero(t, sum(failed))
	}
	failed := make([]uint32, 33)
	f.run(put, 33, other, failed)
	require.EqualValues(t, 33, sum(failed))
	b := f.buffer(64)
	defer b.Release()
	require.Equal(t, CL_INVALID_MEM_OBJECT, put.SetArg(0, Arg{Mem: b}))
	require.Equal(t, CL_INVALID_MEM_OBJECT, put.SetArg(0, Arg{}))
	require.Equal(t, CL_INVALID_MEM_OBJECT, put.SetArg(1, Arg{Mem: p}))
}
