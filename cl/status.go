// Package cl is the OpenCL object model and every rule of the API specification (OpenCL 3.0 unified). Each entry point is a
// Go function or method: values in, values and a Status out. Above each check stands, shortened, the sentence of the
// specification that asks for it, in the order of the specification.
package cl

import "strconv"

// Status is an OpenCL error code, CL_SUCCESS (0) or negative.
type Status int32

// String is the name in CL/cl.h.
func (s Status) String() string {
	if name, ok := statusNames[s]; ok {
		return name
	}
	return "OpenCL status " + strconv.Itoa(int(s))
}

// Error makes a Status an error. CL_SUCCESS is not nil: see Err.
func (s Status) Error() string { return s.String() }

// Err is s as an error, nil for CL_SUCCESS.
func (s Status) Err() error {
	if s == CL_SUCCESS {
		return nil
	}
	return s
}
