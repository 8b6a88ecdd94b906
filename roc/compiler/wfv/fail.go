package wfv

import "fmt"

// Unsupported is why a kernel cannot be vectorised; it runs in scalar form instead.
type Unsupported struct{ Reason string }

func (u *Unsupported) Error() string { return u.Reason }

// fail ends the vectorisation of the kernel at hand; try turns it into an error.
func fail(format string, args ...any) { panic(&Unsupported{fmt.Sprintf(format, args...)}) }

// try runs fn. A fault of the vectoriser itself also only costs speed: it becomes an Unsupported that says so.
func try(fn func()) (u *Unsupported) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Unsupported:
			u = r
		default:
			u = &Unsupported{fmt.Sprintf("internal fault: %v", r)}
		}
	}()
	fn()
	return nil
}
