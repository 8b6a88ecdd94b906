package cl

import (
	"encoding/binary"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type thing struct{ name string }

const (
	askName = iota + 1
	askNumber
	askList
	askNothing
	askFailure
)

var things = Table[thing]{
	askName:    func(t thing) Value { return String(t.name) },
	askNumber:  func(thing) Value { return Uint(uint32(42)) },
	askList:    func(thing) Value { return Ulongs[uint64](1, 2, 3) },
	askNothing: func(thing) Value { return Bytes(nil) },
	askFailure: func(thing) Value { return Fail(CL_INVALID_OPERATION) },
}

func TestInfoSizes(t *testing.T) {
	for _, c := range []struct {
		param uint32
		want  []byte
	}{
		{askName, []byte("ding\x00")},
		{askNumber, binary.NativeEndian.AppendUint32(nil, 42)},
		{askList, Ulongs[uint64](1, 2, 3).data},
		{askNothing, nil},
	} {
		size := uintptr(99)
		at := Addr(unsafe.Pointer(&size))
		get := func(out Out) Status { return things.Get(thing{"ding"}, c.param, out) }
		require.Equal(t, CL_SUCCESS, get(Out{SizeRet: at}), "the size alone")
		require.EqualValues(t, len(c.want), size)
		require.Equal(t, CL_SUCCESS, get(Out{}), "nowhere")

		buffer := make([]byte, len(c.want)+8)
		value := Addr(unsafe.Pointer(&buffer[0]))
		require.Equal(t, CL_SUCCESS, get(Out{Value: value, Size: size, SizeRet: at}), "exactly")
		require.Equal(t, c.want, append([]byte(nil), buffer[:size]...))
		require.Equal(t, make([]byte, 8), buffer[size:], "nothing beyond")
		require.Equal(t, CL_SUCCESS, get(Out{Value: value, Size: size + 8}), "more room than needed")
		if size > 0 {
			clear(buffer)
			require.Equal(t, CL_INVALID_VALUE, get(Out{Value: value, Size: size - 1}), "one byte short")
			require.Equal(t, make([]byte, len(buffer)), buffer, "a refused query writes nothing")
		}
	}
}

func TestInfoRefusesWhatItDoesNotKnow(t *testing.T) {
	require.Equal(t, CL_INVALID_VALUE, things.Get(thing{}, 77, Out{}))
	require.Equal(t, CL_INVALID_OPERATION, things.Get(thing{}, askFailure, Out{}))
}

func TestNameVersionLayout(t *testing.T) {
	long := string(make([]byte, 100))
	b := NameVersions([]NameVersion{{"cl_x", Version(1, 2, 3)}, {long, 0}}).data
	require.Len(t, b, 2*(4+CL_NAME_VERSION_MAX_NAME_SIZE))
	require.EqualValues(t, 1<<22|2<<12|3, binary.NativeEndian.Uint32(b))
	require.Equal(t, "cl_x\x00", string(b[4:9]))
	require.Zero(t, b[len(b)-1], "even a name too long ends in NUL")
}

func TestStatusNames(t *testing.T) {
	require.Equal(t, "CL_INVALID_VALUE", CL_INVALID_VALUE.Error())
	require.Equal(t, "CL_SUCCESS", CL_SUCCESS.String())
	require.Equal(t, "OpenCL status -7777", Status(-7777).String())
	require.NoError(t, CL_SUCCESS.Err())
	require.ErrorIs(t, CL_OUT_OF_RESOURCES.Err(), CL_OUT_OF_RESOURCES)
}
