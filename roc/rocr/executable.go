package rocr

import (
	"errors"
	"fmt"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
)

// executable is a code object that is loaded on an agent.
type executable struct {
	agent  *Agent
	code   []byte // which the runtime refers to
	reader handle
	handle handle
}

const (
	profileFull     = 1
	roundingDefault = 0
	symbolObject    = 22 // HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT
	symbolVariable  = 21 // HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS
)

// Load implements hsa.Agent.
func (a *Agent) Load(code []byte) (hsa.Executable, error) {
	if len(code) == 0 {
		return nil, errors.New("rocr: load: no code object")
	}
	e := &executable{agent: a, code: code}
	if err := e.load(); err != nil {
		e.Destroy()
		return nil, fmt.Errorf("rocr: load: %w", err)
	}
	return e, nil
}

func (e *executable) load() error {
	err := api.ReaderCreate.do(uintptr(unsafe.Pointer(&e.code[0])), uintptr(len(e.code)), uintptr(unsafe.Pointer(&e.reader)))
	if err != nil {
		return err
	}
	if err := api.ExecutableCreate.do(profileFull, roundingDefault, 0, uintptr(unsafe.Pointer(&e.handle))); err != nil {
		return err
	}
	if err := api.ExecutableLoad.do(uintptr(e.handle), uintptr(e.agent.handle), uintptr(e.reader), 0, 0); err != nil {
		return err
	}
	return api.ExecutableFreeze.do(uintptr(e.handle), 0)
}

// Kernel implements hsa.Executable. What packets name is the kernel's descriptor.
func (e *executable) Kernel(info *codeobject.KernelInfo) (uint64, error) {
	return e.symbol(info.Symbol, symbolObject)
}

// Function implements hsa.Executable: of variables only.
func (e *executable) Function(symbol string) (uint64, error) { return e.symbol(symbol, symbolVariable) }

func (e *executable) symbol(name string, attribute uintptr) (value uint64, err error) {
	text := append([]byte(name), 0)
	var symbol handle
	err = api.ExecutableSymbol.do(uintptr(e.handle), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&e.agent.handle)),
		uintptr(unsafe.Pointer(&symbol)))
	if err == nil {
		err = api.SymbolInfo.do(uintptr(symbol), attribute, uintptr(unsafe.Pointer(&value)))
	}
	if err != nil {
		return 0, fmt.Errorf("rocr: symbol %s: %w", name, err)
	}
	return value, nil
}

// Destroy implements hsa.Executable.
func (e *executable) Destroy() {
	if e.handle != 0 {
		api.ExecutableDestroy.call(uintptr(e.handle))
	}
	if e.reader != 0 {
		api.ReaderDestroy.call(uintptr(e.reader))
	}
}
