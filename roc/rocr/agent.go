package rocr

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"aqueduct/roc/hsa"
)

// Agent is a GPU, or some of its compute units. It implements hsa.Agent.
type Agent struct {
	machine *machine
	handle  handle
	info    hsa.Info
	memory  pool    // of its own
	units   []int   // of a partition, else nil
	number  uintptr // see machine.own
	handler func(arg uintptr)

	mu     sync.Mutex // guards queues
	queues []*queue
}

var _ hsa.Agent = (*Agent)(nil)

func (m *machine) newAgent(agent handle) (*Agent, error) {
	a := &Agent{machine: m, handle: agent}
	for _, p := range pools(agent) {
		if p.flags&poolCoarse != 0 {
			a.memory = p
		}
	}
	if a.memory.handle == 0 {
		return nil, fmt.Errorf("rocr: %s has no memory", text(agent, agentName))
	}
	var err error
	if a.info, err = describe(agent, a.memory.size, a.memory.most); err != nil {
		return nil, err
	}
	m.own(a)
	return a, nil
}

// Info implements hsa.Agent.
func (a *Agent) Info() *hsa.Info { return &a.info }

// SetService implements hsa.Agent. GPUs run no packets that call it.
func (a *Agent) SetService(func(arg uint64) error) {}

// Help implements hsa.Agent.
func (a *Agent) Help(hsa.Waiter, any) bool { return false }

// Blit implements hsa.Agent.
func (a *Agent) Blit(hsa.Blit) uint64 { return 0 }

// Affinity implements hsa.Agent.
func (a *Agent) Affinity(hsa.Domain) [][]int { return nil }

// NewDeviceQueue implements hsa.Agent.
func (a *Agent) NewDeviceQueue(uint32) (hsa.DeviceQueue, error) { return nil, hsa.ErrNoDeviceQueues }

// Partition implements hsa.Agent: queues of the partition run on some compute units only.
func (a *Agent) Partition(units []int) (hsa.Agent, error) {
	if len(units) == 0 {
		return nil, errors.New("rocr: a partition without compute units")
	}
	p := &Agent{machine: a.machine, handle: a.handle, info: a.info, memory: a.memory}
	for _, u := range units {
		if a.units != nil {
			u = a.units[u]
		}
		p.units = append(p.units, u)
	}
	p.info.ComputeUnits = uint32(len(units))
	a.machine.own(p)
	return p, nil
}

// mask is a bit for each compute unit, 32 in a word.
func mask(units []int) []uint32 {
	m := make([]uint32, slices.Max(units)/32+1)
	for _, u := range units {
		m[u/32] |= 1 << (u % 32)
	}
	return m
}
