package llvm

import (
	"sync"

	"github.com/ebitengine/purego"
)

// Severity of a diagnostic; the values are LLVMDiagnosticSeverity's.
type Severity int32

const (
	SeverityError   Severity = 0
	SeverityWarning Severity = 1
	SeverityRemark  Severity = 2
	SeverityNote    Severity = 3
)

// Diagnostic is what the linker, a pass or the code generator has to say.
type Diagnostic struct {
	Severity Severity
	Text     string
}

// handlers maps the contexts that have a handler to it; one C callback serves all, since purego never frees one.
var handlers struct {
	sync.Mutex
	of       map[Context]func(Diagnostic)
	callback uintptr
}

// OnDiagnostic sends the context's diagnostics to f instead of standard error; nil takes the handler away. Without one, an
// error in the linker or code generator ends the process, so set one. Take it away before Dispose.
func (c Context) OnDiagnostic(f func(Diagnostic)) {
	handlers.Lock()
	if handlers.of == nil {
		handlers.of = map[Context]func(Diagnostic){}
		handlers.callback = purego.NewCallback(report)
	}
	callback := handlers.callback
	if f == nil {
		delete(handlers.of, c)
		callback = 0
	} else {
		handlers.of[c] = f
	}
	handlers.Unlock()
	call(fn.ContextSetDiagnosticHandler, uintptr(c), callback, uintptr(c))
}

func report(info, context uintptr) uintptr {
	handlers.Lock()
	f := handlers.of[Context(context)]
	handlers.Unlock()
	if f != nil {
		f(Diagnostic{Severity(int32(call(fn.GetDiagInfoSeverity, info))), owned(call(fn.GetDiagInfoDescription, info))})
	}
	return 0
}
