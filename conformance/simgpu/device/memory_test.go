package device

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheGPUReachesOnlyWhatIsMapped(t *testing.T) {
	g := newGPU(t, 0)
	at, status := g.Allocate(GPUNode, 2*page, 0)
	require.Equal(t, Success, status)
	require.Nil(t, g.memory.bytes(at, 4), "not before it is mapped")
	require.Equal(t, Success, g.Map(at, true))
	require.Len(t, g.memory.bytes(at+page, page), page)
	require.Nil(t, g.memory.bytes(at+page, page+1), "not beyond its end")
	r, ok := g.Lookup(at + 5)
	require.True(t, ok)
	require.Equal(t, at, r.Address)
	require.Zero(t, r.HostAddress(), "the host cannot see it")
	require.Equal(t, Success, g.Map(at, false))
	require.Nil(t, g.memory.bytes(at, 4))
	require.Equal(t, Success, g.Free(at))
	require.Equal(t, InvalidParameter, g.Free(at))
}

func TestMemoryOfTheGPUIsLimited(t *testing.T) {
	g := newGPU(t, 0)
	_, status := g.Allocate(GPUNode, VRAM+page, 0)
	require.Equal(t, NoMemory, status)
	at, status := g.Allocate(GPUNode, VRAM, 0)
	require.Equal(t, Success, status)
	_, status = g.Allocate(GPUNode, page, 0)
	require.Equal(t, NoMemory, status)
	require.Equal(t, Success, g.Free(at))
	_, status = g.Allocate(GPUNode, page+1, 0)
	require.Equal(t, InvalidParameter, status, "whole pages")
}

func TestRegisteredMemoryMayLieInOther(t *testing.T) {
	g := newGPU(t, 0)
	outer, _ := g.Allocate(HostNode, 4*page, FlagHostAccess)
	require.Equal(t, Success, g.Register(outer+page, page, 0))
	require.Equal(t, Success, g.SetUser(outer+page, 7))
	inner, _ := g.Lookup(outer + page + 10)
	require.Equal(t, outer+page, inner.Address)
	require.Equal(t, uintptr(7), inner.User)
	around, _ := g.Lookup(outer + 3*page)
	require.Equal(t, outer, around.Address)
	require.Equal(t, Success, g.Deregister(outer+page))
	around, _ = g.Lookup(outer + page + 10)
	require.Equal(t, outer, around.Address)
}
