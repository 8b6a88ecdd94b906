package cl

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSVMAllocRules(t *testing.T) {
	f := newFixture(t)
	limit, svm := f.device.roc.Info().MaxAlloc, f.device.svm()
	const fine, atomics = CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_SVM_ATOMICS
	for name, c := range map[string]struct {
		flags, size uint64
		alignment   uint32
		ok          bool
	}{
		"default":                  {0, 64, 0, true},
		"read only":                {CL_MEM_READ_ONLY, 1, 1, true},
		"fine":                     {CL_MEM_READ_WRITE | fine, 64, 128, svm&CL_DEVICE_SVM_FINE_GRAIN_BUFFER != 0},
		"atomics":                  {CL_MEM_WRITE_ONLY | fine | atomics, 1 << 20, 64, svm&CL_DEVICE_SVM_ATOMICS != 0},
		"atomics without fine":     {atomics, 64, 0, false},
		"two accesses":             {CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0, false},
		"host pointer flag":        {CL_MEM_USE_HOST_PTR, 64, 0, false},
		"host access flag":         {CL_MEM_HOST_READ_ONLY, 64, 0, false},
		"unknown flag":             {1 << 40, 64, 0, false},
		"no size":                  {0, 0, 0, false},
		"too large":                {0, limit + 1, 0, false},
		"alignment no power":       {0, 64, 48, false},
		"alignment above the type": {0, 64, 256, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := f.ctx.SVMAlloc(c.flags, c.size, c.alignment)
			require.Equal(t, c.ok, p != 0)
			if c.ok {
				require.Zero(t, p%MaxPattern, "aligned as the largest type")
				require.Zero(t, uint64(p)%uint64(max(c.alignment, 1)))
			}
			f.ctx.SVMFree(p)
		})
	}
	f.ctx.SVMFree(0)
	f.ctx.SVMFree(12345)
}

func TestSVMAllocTellsWhyItFails(t *testing.T) {
	f := newFixture(t)
	var told string
	ctx, st := ThePlatform().CreateContext(nil, []*Device{f.device}, func(text string) { told = text })
	require.Equal(t, CL_SUCCESS, st)
	defer ctx.Release()
	require.Zero(t, ctx.SVMAlloc(0, 0, 0))
	require.Contains(t, told, "clSVMAlloc: a size of zero")
}

func TestSVMCommands(t *testing.T) {
	f := newFixture(t)
	p := f.ctx.SVMAlloc(0, 256, 0)
	require.NotZero(t, p)
	defer f.ctx.SVMFree(p)
	outside := f.buffer(256)
	defer outside.Release()
	host, h := f.bytes(outside), outside.address()
	strange := f.foreign.CreateUserEvent()
	defer strange.Release()
	foreign := Sync{Wait: []*Event{strange}}
	four, long := []byte{1, 2, 3, 4}, make([]byte, 256)
	for name, c := range map[string]struct {
		enqueue func(s Sync) (*Event, Status)
		want    Status
		kind    uint32
	}{
		"memcpy in":            {func(s Sync) (*Event, Status) { return f.q.SVMMemcpy(false, p, h, 256, s) }, CL_SUCCESS, CL_COMMAND_SVM_MEMCPY},
		"memcpy out":           {func(s Sync) (*Event, Status) { return f.q.SVMMemcpy(true, h, p, 256, s) }, CL_SUCCESS, CL_COMMAND_SVM_MEMCPY},
		"memcpy beside":        {func(s Sync) (*Event, Status) { return f.q.SVMMemcpy(false, p+128, p, 128, s) }, CL_SUCCESS, CL_COMMAND_SVM_MEMCPY},
		"memcpy of nothing":    {func(s Sync) (*Event, Status) { return f.q.SVMMemcpy(false, p, p, 0, s) }, CL_SUCCESS, CL_COMMAND_SVM_MEMCPY},
		"memcpy to NULL":       {func(s Sync) (*Event, Status) { return f.q.SVMMemcpy(false, 0, h, 1, s) }, CL_INVALID_VALUE, 0},
		"memcpy from NULL":     {func(s Sync) (*Event, Status) { return f.q.SVMMemcpy(false, p, 0, 1, s) }, CL_INVALID_VALUE, 0},
		"memcpy overlaps up":   {func(s Sync) (*Event, Status) { return f.q.SVMMemcpy(false, p+127, p, 128, s) }, CL_MEM_COPY_OVERLAP, 0},
		"memcpy overlaps down": {func(s Sync) (*Event, Status) { return f.q.SVMMemcpy(false, p, p+127, 128, s) }, CL_MEM_COPY_OVERLAP, 0},
		"memcpy onto itself":   {func(s Sync) (*Event, Status) { return f.q.SVMMemcpy(false, p, p, 1, s) }, CL_MEM_COPY_OVERLAP, 0},
		"memcpy foreign":       {func(Sync) (*Event, Status) { return f.q.SVMMemcpy(false, p, h, 1, foreign) }, CL_INVALID_CONTEXT, 0},
		"fill":                 {func(s Sync) (*Event, Status) { return f.q.SVMMemFill(p, four, 256, s) }, CL_SUCCESS, CL_COMMAND_SVM_MEMFILL},
		"fill nothing":         {func(s Sync) (*Event, Status) { return f.q.SVMMemFill(p, four, 0, s) }, CL_SUCCESS, CL_COMMAND_SVM_MEMFILL},
		"fill NULL":            {func(s Sync) (*Event, Status) { return f.q.SVMMemFill(0, four, 4, s) }, CL_INVALID_VALUE, 0},
		"fill misaligned":      {func(s Sync) (*Event, Status) { return f.q.SVMMemFill(p+2, four, 4, s) }, CL_INVALID_VALUE, 0},
		"fill no pattern":      {func(s Sync) (*Event, Status) { return f.q.SVMMemFill(p, nil, 4, s) }, CL_INVALID_VALUE, 0},
		"fill by three":        {func(s Sync) (*Event, Status) { return f.q.SVMMemFill(p, four[:3], 3, s) }, CL_INVALID_VALUE, 0},
		"fill pattern long":    {func(s Sync) (*Event, Status) { return f.q.SVMMemFill(p, long, 256, s) }, CL_INVALID_VALUE, 0},
		"fill no multiple":     {func(s Sync) (*Event, Status) { return f.q.SVMMemFill(p, four, 6, s) }, CL_INVALID_VALUE, 0},
		"fill foreign":         {func(Sync) (*Event, Status) { return f.q.SVMMemFill(p, four, 4, foreign) }, CL_INVALID_CONTEXT, 0},
		"map":                  {func(s Sync) (*Event, Status) { return f.q.SVMMap(true, CL_MAP_READ|CL_MAP_WRITE, p, 256, s) }, CL_SUCCESS, CL_COMMAND_SVM_MAP},
		"map NULL":             {func(s Sync) (*Event, Status) { return f.q.SVMMap(false, CL_MAP_READ, 0, 1, s) }, CL_INVALID_VALUE, 0},
		"map nothing":          {func(s Sync) (*Event, Status) { return f.q.SVMMap(false, CL_MAP_READ, p, 0, s) }, CL_INVALID_VALUE, 0},
		"map flags":            {func(s Sync) (*Event, Status) { return f.q.SVMMap(false, 1<<20, p, 1, s) }, CL_INVALID_VALUE, 0},
		"map foreign":          {func(Sync) (*Event, Status) { return f.q.SVMMap(false, CL_MAP_READ, p, 1, foreign) }, CL_INVALID_CONTEXT, 0},
		"unmap":                {func(s Sync) (*Event, Status) { return f.q.SVMUnmap(p, s) }, CL_SUCCESS, CL_COMMAND_SVM_UNMAP},
		"unmap NULL":           {func(s Sync) (*Event, Status) { return f.q.SVMUnmap(0, s) }, CL_INVALID_VALUE, 0},
		"unmap foreign":        {func(Sync) (*Event, Status) { return f.q.SVMUnmap(p, foreign) }, CL_INVALID_CONTEXT, 0},
		"migrate all": {func(s Sync) (*Event, Status) {
			return f.q.SVMMigrateMem([]Addr{p, p + 9}, nil, CL_MIGRATE_MEM_OBJECT_HOST, s)
		}, CL_SUCCESS, CL_COMMAND_SVM_MIGRATE_MEM},
		"migrate part":           {func(s Sync) (*Event, Status) { return f.q.SVMMigrateMem([]Addr{p + 200}, []uint64{56}, 0, s) }, CL_SUCCESS, CL_COMMAND_SVM_MIGRATE_MEM},
		"migrate whole by zero":  {func(s Sync) (*Event, Status) { return f.q.SVMMigrateMem([]Addr{p}, []uint64{0}, 0, s) }, CL_SUCCESS, CL_COMMAND_SVM_MIGRATE_MEM},
		"migrate past the end":   {func(s Sync) (*Event, Status) { return f.q.SVMMigrateMem([]Addr{p + 200}, []uint64{57}, 0, s) }, CL_INVALID_VALUE, 0},
		"migrate what is no SVM": {func(s Sync) (*Event, Status) { return f.q.SVMMigrateMem([]Addr{h}, []uint64{1}, 0, s) }, CL_INVALID_VALUE, 0},
		"migrate none":           {func(s Sync) (*Event, Status) { return f.q.SVMMigrateMem(nil, nil, 0, s) }, CL_INVALID_VALUE, 0},
		"migrate flags":          {func(s Sync) (*Event, Status) { return f.q.SVMMigrateMem([]Addr{p}, nil, 1<<10, s) }, CL_INVALID_VALUE, 0},
		"migrate foreign":        {func(Sync) (*Event, Status) { return f.q.SVMMigrateMem([]Addr{p}, nil, 0, foreign) }, CL_INVALID_CONTEXT, 0},
		"free foreign":           {func(Sync) (*Event, Status) { return f.q.SVMFree([]Addr{p}, nil, foreign) }, CL_INVALID_CONTEXT, 0},
		"free none":              {func(s Sync) (*Event, Status) { return f.q.SVMFree(nil, nil, s) }, CL_SUCCESS, CL_COMMAND_SVM_FREE},
	} {
		t.Run(name, func(t *testing.T) {
			e, st := c.enqueue(Sync{Event: true})
			require.Equal(t, c.want, st)
			if st == CL_SUCCESS {
				require.EqualValues(t, CL_COMPLETE, f.status(e))
				require.Equal(t, c.kind, e.kind)
				e.Release()
			}
		})
	}
	fill, st := f.q.SVMMemFill(p, four, 256, Sync{})
	require.Nil(t, fill)
	require.Equal(t, CL_SUCCESS, st)
	_, st = f.q.SVMMemcpy(true, h, p, 256, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, byte(4), host[255])
}

func TestBlockingSVMCommandTellsOfAFailedDependency(t *testing.T) {
	f := newFixture(t, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
	p := f.ctx.SVMAlloc(0, 256, 0)
	defer f.ctx.SVMFree(p)
	bad := f.ctx.CreateUserEvent()
	defer bad.Release()
	bad.SetUserStatus(-1)
	_, st := f.q.SVMMemcpy(true, p, p+128, 64, Sync{Wait: []*Event{bad}})
	require.Equal(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, st)
	_, st = f.q.SVMMap(true, CL_MAP_READ, p, 64, Sync{Wait: []*Event{bad}})
	require.Equal(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, st)
	freed := atomic.Bool{}
	e, st := f.q.SVMFree([]Addr{p}, func() { freed.Store(true) }, after(bad))
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, Status(f.status(e)))
	e.Release()
	require.NotNil(t, f.ctx.memory.find(p), "what does not run frees nothing")
	require.False(t, freed.Load())
}

func TestEnqueuedSVMFree(t *testing.T) {
	f := newFixture(t)
	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	p, kept := f.ctx.SVMAlloc(0, 64, 0), f.ctx.SVMAlloc(0, 64, 0)
	defer f.ctx.SVMFree(kept)
	e, st := f.q.SVMFree([]Addr{p, 0}, nil, after(gate))
	require.Equal(t, CL_SUCCESS, st)
	called := make(chan uint64, 1)
	q := f.queue()
	by, st := q.SVMFree([]Addr{kept}, func() {
		_, st := q.EnqueueMarker(Sync{}) // the queue is there, and a callback may enqueue
		called <- uint64(st)
	}, after(gate))
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, CL_SUCCESS, q.Release())
	require.NotNil(t, f.ctx.memory.find(p))
	require.Empty(t, called)
	gate.SetUserStatus(CL_COMPLETE)
	require.EqualValues(t, CL_COMPLETE, f.status(e))
	f.eventually(func() bool { return f.ctx.memory.find(p) == nil }, "it is freed when the command has run")
	require.EqualValues(t, CL_COMPLETE, f.status(by))
	f.within("the callback", func() { require.Zero(t, <-called) })
	require.NotNil(t, f.ctx.memory.find(kept), "freeing it is the callback's")
	e.Release()
	by.Release()
}

func TestBuffersOverSVM(t *testing.T) {
	f := newFixture(t)
	p := f.ctx.SVMAlloc(0, 1024, 0)
	m, st := f.ctx.CreateBuffer(nil, CL_MEM_USE_HOST_PTR, 1024, p.Pointer())
	require.Equal(t, CL_SUCCESS, st)
	part := f.sub(m, 256, 128)
	copied, st := f.ctx.CreateBuffer(nil, CL_MEM_COPY_HOST_PTR, 1024, p.Pointer())
	require.Equal(t, CL_SUCCESS, st)
	plain := f.buffer(64)
	uses := func(m *Mem) uint32 {
		v, st := answerOf(func(out Out) Status { return m.Info(CL_MEM_USES_SVM_POINTER, out) })
		require.Equal(t, CL_SUCCESS, st)
		return uint32(v)
	}
	require.EqualValues(t, CL_TRUE, uses(m))
	require.EqualValues(t, CL_TRUE, uses(part))
	require.EqualValues(t, CL_FALSE, uses(copied))
	require.EqualValues(t, CL_FALSE, uses(plain))
	for _, flags := range []uint64{CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR} {
		_, st = f.ctx.CreateBuffer(nil, flags, 1025, p.Pointer())
		require.Equal(t, CL_INVALID_BUFFER_SIZE, st)
		_, st = f.ctx.CreateBuffer(nil, flags, 1024, (p + 1).Pointer())
		require.Equal(t, CL_INVALID_BUFFER_SIZE, st)
	}
	store := f.ctx.memory.find(p).store
	f.ctx.SVMFree(p)
	f.bytes(m)[1023] = 1 // a buffer that is there keeps the memory
	for _, m := range []*Mem{m, part, copied, plain} {
		m.Release()
	}
	require.False(t, store.Use())
}
