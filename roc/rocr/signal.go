package rocr

import (
	"fmt"
	"sync"
	"unsafe"

	"aqueduct/roc/hsa"

	"github.com/ebitengine/purego"
)

// NewSignal implements hsa.Agent.
func (a *Agent) NewSignal() (s hsa.Signal, err error) {
	if err := api.SignalCreate.do(1, 0, 0, uintptr(unsafe.Pointer(&s))); err != nil {
		return 0, fmt.Errorf("rocr: signal: %w", err)
	}
	return s, nil
}

// FreeSignal implements hsa.Agent.
func (a *Agent) FreeSignal(s hsa.Signal) { api.SignalDestroy.call(uintptr(s)) }

// Complete implements hsa.Agent.
func (a *Agent) Complete(s hsa.Signal) { api.SignalTake.call(uintptr(s), 1) }

// SetHandler implements hsa.Agent.
func (a *Agent) SetHandler(h func(arg uintptr)) { a.handler = h }

const (
	conditionLess = 2  // HSA_SIGNAL_CONDITION_LT
	ownerShift    = 40 // of the agent's number, in the argument of the async handler
)

// completed is the one async handler, which is told apart by its argument.
var completed = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(_ int64, arg uintptr) bool {
		the.owner(arg >> ownerShift).handler(arg & (1<<ownerShift - 1))
		return false // once
	})
})

// Watch implements hsa.Agent.
func (a *Agent) Watch(s hsa.Signal, arg uintptr) {
	if err := api.AsyncHandler.do(uintptr(s), conditionLess, 1, completed(), arg|a.number<<ownerShift); err != nil {
		// There is no memory left. Nobody will be told of the end of these commands, which nothing else ends.
		panic(fmt.Errorf("rocr: watch a signal: %w", err))
	}
}
