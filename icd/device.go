package main

import "aqueduct/cl"

func clGetDeviceIDs(p *cl.Platform, kind uint64, entries uint32, devices, count cl.Addr) cl.Status {
	found, st := p.DeviceIDs(kind)
	if st == cl.CL_INVALID_DEVICE_TYPE {
		return st
	}
	// CL_INVALID_VALUE if num_entries is equal to zero and devices is not NULL or if both num_devices and devices are NULL
	if entries == 0 && devices != 0 || devices == 0 && count == 0 {
		return cl.CL_INVALID_VALUE
	}
	if st == cl.CL_SUCCESS {
		giveList(found, entries, devices, count)
	}
	return st
}

func clGetDeviceInfo(d *cl.Device, param uint32, out cl.Out) cl.Status { return d.Info(param, out) }

func clRetainDevice(d *cl.Device) cl.Status  { return d.Retain() }
func clReleaseDevice(d *cl.Device) cl.Status { return d.Release() }

func clCreateSubDevices(d *cl.Device, properties cl.Addr, entries uint32, devices, count cl.Addr) cl.Status {
	return d.CreateSubDevices()
}

func clCreateSubDevicesEXT(d *cl.Device, properties cl.Addr, entries uint32, devices, count cl.Addr) cl.Status {
	return d.CreateSubDevices()
}

func clRetainDeviceEXT(d *cl.Device) cl.Status  { return d.Retain() }
func clReleaseDeviceEXT(d *cl.Device) cl.Status { return d.Release() }

func clGetDeviceAndHostTimer(d *cl.Device, device, host cl.Addr) cl.Status {
	// CL_INVALID_VALUE if host_timestamp or device_timestamp is NULL
	if device == 0 || host == 0 {
		return cl.CL_INVALID_VALUE
	}
	t := d.Timer()
	device.PutUlong(t)
	host.PutUlong(t)
	return cl.CL_SUCCESS
}

func clGetHostTimer(d *cl.Device, host cl.Addr) cl.Status {
	// CL_INVALID_VALUE if host_timestamp is NULL
	if host == 0 {
		return cl.CL_INVALID_VALUE
	}
	host.PutUlong(d.Timer())
	return cl.CL_SUCCESS
}
