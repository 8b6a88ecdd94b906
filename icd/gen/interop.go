package main

import "regexp"

// interop are the functions that share objects with OpenGL, EGL and Direct3D. No context is ever created from one of those
// (its properties are refused), so once the handles are valid the answer is always the same: what the OpenCL Extension
// specification says for a context, or an object, that has nothing of the other API.
var interop = []struct {
	name   *regexp.Regexp
	status string
}{
	// CL_INVALID_CONTEXT if context was not created from a GL context
	{regexp.MustCompile(`^clCreateFromGL|^clCreateEventFromGLsyncKHR`), "CL_INVALID_CONTEXT"},
	// CL_INVALID_GL_OBJECT if there is no GL object associated with memobj
	{regexp.MustCompile(`^clGetGL(Object|Texture)Info`), "CL_INVALID_GL_OBJECT"},
	// CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR if properties name no GL context
	{regexp.MustCompile(`^clGetGLContextInfoKHR`), "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR"},
	// CL_INVALID_OPERATION if there are no devices in context that support creating objects from EGLImages
	{regexp.MustCompile(`^clCreateFromEGLImageKHR`), "CL_INVALID_OPERATION"},
	// CL_INVALID_EGL_OBJECT_KHR if sync is not a valid EGLSyncKHR, or memory objects were not created from EGL objects
	{regexp.MustCompile(`EGL`), "CL_INVALID_EGL_OBJECT_KHR"},
	// CL_DEVICE_NOT_FOUND if no OpenCL devices correspond to the Direct3D object
	{regexp.MustCompile(`^clGetDeviceIDsFrom`), "CL_DEVICE_NOT_FOUND"},
	// The resource was not created by the Direct3D device associated with context
	{regexp.MustCompile(`^clCreateFromD3D10`), "CL_INVALID_D3D10_RESOURCE_KHR"},
	{regexp.MustCompile(`^clCreateFromD3D11`), "CL_INVALID_D3D11_RESOURCE_KHR"},
	{regexp.MustCompile(`^clCreateFromDX9`), "CL_INVALID_DX9_MEDIA_SURFACE_KHR"},
	// CL_INVALID_CONTEXT if the context of command_queue was not created from a device of the other API
	{regexp.MustCompile(`^clEnqueue(Acquire|Release)(GL|D3D10|D3D11|DX9)`), "CL_INVALID_CONTEXT"},
}

// interopStatus is the answer of such a function, "" for others.
func interopStatus(name string) string {
	for _, f := range interop {
		if f.name.MatchString(name) {
			return f.status
		}
	}
	return ""
}
