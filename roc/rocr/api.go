package rocr

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// function is one of the runtime's, by its address.
type function uintptr

// call calls f with up to 15 integers and pointers. What is returned is an hsa_status_t for most functions.
//
//go:uintptrescapes
func (f function) call(args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(uintptr(f), args...)
	return r
}

// do calls f, which returns an hsa_status_t.
//
//go:uintptrescapes
func (f function) do(args ...uintptr) error {
	r, _, _ := purego.SyscallN(uintptr(f), args...)
	if s := status(r); s != 0 {
		return s
	}
	return nil
}

// api is what is used of the HSA runtime (HSA Runtime Programmer's Reference Manual 1.2, and AMD's hsa_ext_amd.h).
var api struct {
	Init          function `hsa:"hsa_init"`
	StatusString  function `hsa:"hsa_status_string"`
	SystemInfo    function `hsa:"hsa_system_get_info"`
	IterateAgents function `hsa:"hsa_iterate_agents"`
	AgentInfo     function `hsa:"hsa_agent_get_info"`
	IterateCaches function `hsa:"hsa_agent_iterate_caches"`
	CacheInfo     function `hsa:"hsa_cache_get_info"`
	IteratePools  function `hsa:"hsa_amd_agent_iterate_memory_pools"`
	PoolInfo      function `hsa:"hsa_amd_memory_pool_get_info"`
	PoolAllocate  function `hsa:"hsa_amd_memory_pool_allocate"`
	PoolFree      function `hsa:"hsa_amd_memory_pool_free"`
	AllowAccess   function `hsa:"hsa_amd_agents_allow_access"`
	PointerInfo   function `hsa:"hsa_amd_pointer_info"`
	Lock          function `hsa:"hsa_amd_memory_lock"`
	Unlock        function `hsa:"hsa_amd_memory_unlock"`
	Copy          function `hsa:"hsa_memory_copy"`
	AsyncCopy     function `hsa:"hsa_amd_memory_async_copy"`

	SignalCreate  function `hsa:"hsa_signal_create"`
	SignalDestroy function `hsa:"hsa_signal_destroy"`
	SignalStore   function `hsa:"hsa_signal_store_screlease"`
	SignalTake    function `hsa:"hsa_signal_subtract_screlease"`
	AsyncHandler  function `hsa:"hsa_amd_signal_async_handler"`
	SystemEvents  function `hsa:"hsa_amd_register_system_event_handler"`

	QueueCreate     function `hsa:"hsa_queue_create"`
	QueueDestroy    function `hsa:"hsa_queue_destroy"`
	QueueStop       function `hsa:"hsa_queue_inactivate"`
	QueueReadIndex  function `hsa:"hsa_queue_load_read_index_scacquire"`
	QueueStoreIndex function `hsa:"hsa_queue_store_write_index_screlease"`
	QueueUnits      function `hsa:"hsa_amd_queue_cu_set_mask"`
	QueuePriority   function `hsa:"hsa_amd_queue_set_priority"`
	QueueProfile    function `hsa:"hsa_amd_profiling_set_profiler_enabled"`
	CopyProfile     function `hsa:"hsa_amd_profiling_async_copy_enable"`
	CopyTime        function `hsa:"hsa_amd_profiling_get_async_copy_time"`
	TickToSystem    function `hsa:"hsa_amd_profiling_convert_tick_to_system_domain"`

	ReaderCreate      function `hsa:"hsa_code_object_reader_create_from_memory"`
	ReaderDestroy     function `hsa:"hsa_code_object_reader_destroy"`
	ExecutableCreate  function `hsa:"hsa_executable_create_alt"`
	ExecutableLoad    function `hsa:"hsa_executable_load_agent_code_object"`
	ExecutableFreeze  function `hsa:"hsa_executable_freeze"`
	ExecutableSymbol  function `hsa:"hsa_executable_get_symbol_by_name"`
	SymbolInfo        function `hsa:"hsa_executable_symbol_get_info"`
	ExecutableDestroy function `hsa:"hsa_executable_destroy"`
}

const soname = "libhsa-runtime64.so.1"

// ErrNotFound means that AMD's runtime is not installed.
var ErrNotFound = errors.New("AMD's HSA runtime (" + soname + ") is not installed")

// Library loads the library at the first call, and finds its functions. It returns the name that was found.
var Library = sync.OnceValues(open)

func open() (string, error) {
	for _, name := range libraries() {
		lib, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err != nil {
			if filepath.IsAbs(name) {
				if _, missing := os.Stat(name); missing == nil { // it is there, and something is wrong with it
					return name, fmt.Errorf("rocr: %w", err)
				}
			}
			continue
		}
		v := reflect.ValueOf(&api).Elem()
		for i := range v.NumField() {
			symbol := v.Type().Field(i).Tag.Get("hsa")
			address, err := purego.Dlsym(lib, symbol)
			if err != nil {
				return name, fmt.Errorf("rocr: %s is too old or too new: it has no %s", name, symbol)
			}
			v.Field(i).SetUint(uint64(address))
		}
		return name, nil
	}
	return "", ErrNotFound
}

// libraries are the names that the runtime may have, in order.
func libraries() []string {
	names := []string{soname}
	for _, root := range []string{os.Getenv("ROCM_PATH"), "/opt/rocm"} {
		if root != "" {
			names = append(names, filepath.Join(root, "lib", soname))
		}
	}
	return names
}

// status is an hsa_status_t that is not success.
type status uint32

// Error is what the runtime says of it.
func (s status) Error() string {
	var text uintptr
	if api.StatusString.call(uintptr(s), uintptr(unsafe.Pointer(&text))) != 0 || text == 0 {
		return fmt.Sprintf("HSA status %#x", uint32(s))
	}
	return cString(text)
}

// cString is the text at an address of the runtime's.
func cString(address uintptr) string {
	p := *(**byte)(unsafe.Pointer(&address))
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
