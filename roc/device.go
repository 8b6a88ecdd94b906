// Package roc drives HSA agents: it turns the commands of a hostqueue into AQL packets, kernel arguments, signals and copies,
// and keeps device memory and loaded programs. It is the same for every provider of package hsa.
package roc

import (
	"fmt"
	"math/bits"
	"os"
	"sync"
	"sync/atomic"

	"aqueduct/hostqueue"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
	"aqueduct/roc/settings"
)

// Info describes a device.
type Info = hsa.Info

// Priority of a command queue (cl_khr_priority_hints).
type Priority = hsa.Priority

const (
	PriorityLow    = hsa.PriorityLow
	PriorityNormal = hsa.PriorityNormal
	PriorityHigh   = hsa.PriorityHigh
)

// Device is one agent.
type Device struct {
	agent    hsa.Agent
	limits   limits
	kernargs blocks
	batches  batchPool
	ticker   ticker
	blits    blits
	compile  func(source string) (*codeobject.Program, error) // see OnCompile

	cuts [hostqueue.CutIdle + 1]atomic.Uint64 // batches cut, by reason

	failing sync.Mutex // held while the failure of a command is worked out; taken before mu

	mu    sync.Mutex                          // taken before every ring.mu; guards what follows
	rings [2 * (hsa.PriorityHigh + 1)][]*ring // by class
	parts map[string]*Device                  // by the units
}

// Devices returns every agent of every provider, always the same ones. It starts nothing heavy.
func Devices() ([]*Device, error) { return devices() }

var devices = sync.OnceValues(func() ([]*Device, error) {
	for _, line := range settings.Complaints(os.Environ()) {
		fmt.Fprintln(os.Stderr, "aqueduct:", line)
	}
	startTrace()
	l := limits{
		queues: settings.HWQueues.Value(),
		size:   uint32(1) << (bits.Len(uint(settings.QueueSize.Value())) - 1),
		batch:  settings.Batch.Value(),
		engine: uint64(settings.CopyEngine.Value()),
	}
	var found []*Device
	for _, kind := range offered() {
		agents, err := providers[kind]()
		if err != nil && kind == deviceCPU {
			return nil, err
		}
		for _, a := range agents {
			found = append(found, newDevice(a, l))
		}
	}
	return found, nil
})

// limits are settings of a device.
type limits struct {
	queues int    // AQL queues of a priority
	size   uint32 // packets in one, a power of two
	batch  int    // commands in open batches of a VirtualGPU
	engine uint64 // bytes from which copy engines copy; 0: they do not
}

func newDevice(agent hsa.Agent, l limits) *Device {
	d := &Device{agent: agent, limits: l}
	d.blits.adopt(agent)
	d.kernargs.agent = agent
	d.batches.agent = agent
	d.ticker.device = d
	agent.SetHandler(d.retire)
	agent.SetService(d.serve)
	return d
}

// Info describes the device; it never changes.
func (d *Device) Info() *Info { return d.agent.Info() }

// Cuts returns how many batches ended for each reason.
func (d *Device) Cuts() (n [hostqueue.CutIdle + 1]uint64) {
	for why := range n {
		n[why] = d.cuts[why].Load()
	}
	return n
}

// class is which rings are for queues of a priority, throttled ones or others.
func class(p Priority, throttled bool) int {
	if throttled {
		return int(hsa.PriorityHigh + 1 + p)
	}
	return int(p)
}

// NewVirtualGPU returns the device of a new host queue. A throttled one uses one compute unit at a time for each command. It
// costs memory alone, but for the first of its class, for which an AQL queue is made: without one, no command could ever run.
func (d *Device) NewVirtualGPU(inOrder, profiling bool, p Priority, throttled bool) (*VirtualGPU, error) {
	if err := d.blits.ready(d); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.rings[class(p, throttled)]) == 0 {
		if _, err := d.leastUsed(p, throttled); err != nil {
			return nil, err
		}
	}
	return &VirtualGPU{device: d, priority: p, throttled: throttled, inOrder: inOrder, profiling: profiling, limit: d.limits.batch}, nil
}

// assign gives v, whose first command has come, its ring: an AQL queue of its own while fewer exist than AQUEDUCT_HW_QUEUES
// allows. Making one takes longer than all else that a queue needs, which thousands of queues that stay empty do not. v.mu is held.
func (v *VirtualGPU) assign() error {
	d := v.device
	d.mu.Lock()
	defer d.mu.Unlock()
	r, err := d.leastUsed(v.priority, v.throttled)
	if err != nil {
		return err
	}
	r.users++
	v.home, v.ring = r, r
	return nil
}

// leastUsed returns a ring of a class with the fewest users, a new one if all have some and the pool is not full. d.mu is
// held.
func (d *Device) leastUsed(p Priority, throttled bool) (*ring, error) {
	var least *ring
	rings := &d.rings[class(p, throttled)]
	for _, r := range *rings {
		if least == nil || r.users < least.users {
			least = r
		}
	}
	if least != nil && (least.users == 0 || len(*rings) >= d.limits.queues) {
		return least, nil
	}
	r, err := d.newRing(p, throttled, d.limits.size)
	if err != nil {
		if least != nil {
			return least, nil
		}
		return nil, err
	}
	*rings = append(*rings, r)
	return r, nil
}
