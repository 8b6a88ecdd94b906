package main

import "aqueduct/cl"

func clCreateContext(props cl.Addr, n uint32, list, notify, user cl.Addr) (*cl.Context, cl.Status) {
	// CL_INVALID_VALUE if devices is NULL, if num_devices is equal to zero, or if pfn_notify is NULL but user_data is not NULL
	if list == 0 || n == 0 || notify == 0 && user != 0 {
		return nil, cl.CL_INVALID_VALUE
	}
	devices, ok := objects[cl.Device](list, n, cl.KindDevice)
	// CL_INVALID_DEVICE if devices contains an invalid device
	if !ok {
		return nil, cl.CL_INVALID_DEVICE
	}
	hugeHeap()
	return platform().CreateContext(properties(props), devices, notifier(notify, user))
}

func clCreateContextFromType(props cl.Addr, kind uint64, notify, user cl.Addr) (*cl.Context, cl.Status) {
	// CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL
	if notify == 0 && user != 0 {
		return nil, cl.CL_INVALID_VALUE
	}
	return platform().CreateContextFromType(properties(props), kind, notifier(notify, user))
}

func clRetainContext(c *cl.Context) cl.Status  { return c.Retain() }
func clReleaseContext(c *cl.Context) cl.Status { return c.Release() }

func clGetContextInfo(c *cl.Context, param uint32, out cl.Out) cl.Status { return c.Info(param, out) }

func clSetContextDestructorCallback(c *cl.Context, fn, user cl.Addr) cl.Status {
	// CL_INVALID_VALUE if pfn_notify is NULL
	if fn == 0 {
		return cl.CL_INVALID_VALUE
	}
	c.SetDestructorCallback(objectCallback(fn, c, user))
	return cl.CL_SUCCESS
}

func clSetDefaultDeviceCommandQueue(c *cl.Context, d *cl.Device, queue uintptr) cl.Status {
	return c.SetDefaultDeviceQueue(d, deviceQueue(queue))
}
