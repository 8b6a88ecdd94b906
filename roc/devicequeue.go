package roc

import (
	"unsafe"

	"aqueduct/devicequeue"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
)

// Limits of on-device queues.
const (
	DeviceQueueMaxSize       = devicequeue.MaxSize
	DeviceQueuePreferredSize = devicequeue.PreferredSize
	MaxDeviceEvents          = devicequeue.MaxEvents
)

// DeviceQueue is an on-device queue (CL_QUEUE_ON_DEVICE).
type DeviceQueue = hsa.DeviceQueue

// NewDeviceQueue creates an on-device queue of size bytes.
func (d *Device) NewDeviceQueue(size uint32) (DeviceQueue, error) {
	return d.agent.NewDeviceQueue(size)
}

// describeBlock tells the kernels of a program what they need to know to enqueue one of its blocks.
func (d *Device) describeBlock(exe hsa.Executable, info *codeobject.KernelInfo) error {
	k := &Kernel{Info: *info}
	object, err := exe.Kernel(&k.Info)
	if err != nil {
		return err
	}
	address, err := exe.Function(info.Descriptor)
	if err != nil {
		return err
	}
	most := d.MaxLocal(k)
	target := uint32(groupTarget)
	if info.HasBarrier {
		target = groupTargetBarrier
	}
	b := *(**codeobject.BlockDescriptor)(unsafe.Pointer(&address))
	*b = codeobject.BlockDescriptor{
		Object: object, Hidden: info.HiddenOffset, GroupSegment: info.GroupSegmentSize, LocalMemory: d.Info().LocalMemory,
		MaxItems: most, TargetItems: min(target, most), Multiple: max(info.Width, 1), PrivateSize: info.PrivateSegmentSize,
	}
	if info.UniformGroups {
		b.Uniform = 1
	}
	return nil
}
