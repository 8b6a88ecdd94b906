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
	p, ok := partition(properties)
	if !ok {
		return cl.CL_INVALID_VALUE
	}
	return createSubDevices(d, p, entries, devices, count)
}

func createSubDevices(d *cl.Device, p cl.Partition, entries uint32, devices, count cl.Addr) cl.Status {
	limit := -1
	if devices != 0 {
		limit = int(entries)
	}
	subs, n, st := d.CreateSubDevices(p, limit)
	if st != cl.CL_SUCCESS {
		return st
	}
	for _, s := range subs {
		if !newHandle(&s.Object) {
			for _, s := range subs {
				s.Release()
			}
			return cl.CL_OUT_OF_HOST_MEMORY
		}
	}
	giveList(subs, entries, devices, 0)
	if count != 0 {
		count.PutUint(uint32(n))
	}
	return cl.CL_SUCCESS
}

// partition decodes the properties of clCreateSubDevices; false if they are NULL, empty, or more than one partition scheme.
func partition(at cl.Addr) (p cl.Partition, ok bool) {
	word := func(i uintptr) uint64 { return *(*uint64)((at + cl.Addr(8*i)).Pointer()) }
	if at == 0 || word(0) == 0 {
		return p, false
	}
	p.Scheme = word(0)
	end := uint64(cl.CL_DEVICE_PARTITION_BY_COUNTS_LIST_END)
	switch p.Scheme {
	case cl.CL_DEVICE_PARTITION_BY_NAMES_INTEL:
		end = cl.CL_PARTITION_BY_NAMES_LIST_END_INTEL
	case cl.CL_DEVICE_PARTITION_BY_COUNTS:
	default:
		p.Values = []uint64{word(1)}
		return p, word(2) == 0
	}
	for i := uintptr(1); word(i) != end; i++ {
		p.Values = append(p.Values, word(i))
	}
	return p, true
}

func clCreateSubDevicesEXT(d *cl.Device, properties cl.Addr, entries uint32, devices, count cl.Addr) cl.Status {
	// CL_INVALID_VALUE if the values in properties are not supported by the device: cl_ext_device_fission is not there
	return cl.CL_INVALID_VALUE
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
