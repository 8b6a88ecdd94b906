package pipeline

import (
	"errors"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// errFailed is a failure that the log has told already.
var errFailed = errors.New("build failed")

// diagnostics is a build's log, and what LLVM says on its own: errors and warnings of its linker, a pass, the code generator.
type diagnostics struct {
	log strings.Builder
	err error // errFailed, if LLVM told an error
}

// take is a handler for a context.
func (d *diagnostics) take(x llvm.Diagnostic) {
	switch x.Severity {
	case llvm.SeverityError:
		d.log.WriteString("error: " + x.Text + "\n")
		d.err = errFailed
	case llvm.SeverityWarning:
		d.log.WriteString("warning: " + x.Text + "\n")
	}
}

// failed is err, or, when LLVM told the reason already, errFailed. A vectorFault is no reason yet.
func (d *diagnostics) failed(err error) error {
	var fault *vectorFault
	if d.err != nil && !errors.As(err, &fault) {
		return d.err
	}
	return err
}
