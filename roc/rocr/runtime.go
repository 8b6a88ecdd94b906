// Package rocr is the HSA contract over AMD's own runtime, libhsa-runtime64.so.1, which is opened at run time: the driver builds
// and starts without it.
package rocr

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// handle is an hsa_agent_t, hsa_amd_memory_pool_t or another of the runtime's objects that are an integer to us.
type handle = uint64

// machine is what the runtime found, and what all agents share.
type machine struct {
	all    []handle // agents that are GPUs
	host   handle   // the first agent that is a CPU
	pool   handle   // of host: memory that all agents read and write, kernel arguments among it
	clock  clock
	pins   pins
	copies copies
	agents []*Agent

	mu     sync.Mutex // guards owners
	owners []*Agent   // by the number in the argument of the async handler
}

// the is the one machine, which start fills in.
var the machine

// start starts the runtime at the first call.
var start = sync.OnceValue(func() error {
	library, err := Library()
	if err != nil {
		return err
	}
	if err := api.Init.do(); err != nil {
		return fmt.Errorf("rocr: %s does not start: %w", library, err)
	}
	return the.find()
})

// ErrNoGPU means that the runtime works and has no GPU.
var ErrNoGPU = errors.New("AMD's HSA runtime finds no GPU")

// Agents are the GPUs, always the same ones. The first call starts the runtime; if that fails, or there is none, the error says
// why.
func Agents() ([]*Agent, error) {
	err := start()
	return the.agents, err
}

const (
	deviceCPU = 0
	deviceGPU = 1
)

// find takes stock of agents and pools.
func (m *machine) find() error {
	err := each(api.IterateAgents, nil, func(agent handle) {
		var kind uint32
		if agentInfo(agent, agentDevice, &kind) != nil {
			return
		}
		switch {
		case kind == deviceGPU:
			m.all = append(m.all, agent)
		case kind == deviceCPU && m.host == 0:
			m.host = agent
		}
	})
	if err != nil {
		return fmt.Errorf("rocr: agents: %w", err)
	}
	if len(m.all) == 0 {
		return ErrNoGPU
	}
	for _, p := range pools(m.host) {
		if p.flags&poolKernarg != 0 {
			m.pool = p.handle
		}
	}
	if m.pool == 0 {
		return errors.New("rocr: the host has no memory for kernel arguments")
	}
	m.clock.start()
	if err := api.CopyProfile.do(1); err != nil {
		return fmt.Errorf("rocr: times of copies: %w", err)
	}
	for _, agent := range m.all {
		a, err := m.newAgent(agent)
		if err != nil {
			return err
		}
		m.agents = append(m.agents, a)
	}
	return m.listen()
}

// own gives a a number for the async handler.
func (m *machine) own(a *Agent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a.number = uintptr(len(m.owners))
	m.owners = append(m.owners, a)
}

// owner is the agent with a number.
func (m *machine) owner(number uintptr) *Agent {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.owners[number]
}

// iteration is an each under way. purego frees no callback, so there is one for all.
var iteration struct {
	mu    sync.Mutex
	visit func(handle) // guarded by mu
}

var visit = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(h handle, _ uintptr) uintptr {
		iteration.visit(h)
		return 0
	})
})

// each calls f for what an iterating function of the runtime goes through: all agents, or, with of, all of that.
func each(iterate function, of *handle, f func(handle)) error {
	iteration.mu.Lock()
	defer iteration.mu.Unlock()
	iteration.visit = f
	if of != nil {
		return iterate.do(uintptr(*of), visit(), 0)
	}
	return iterate.do(visit(), 0)
}

// agentInfo puts an attribute of an agent in to.
func agentInfo[T any](agent handle, attribute uintptr, to *T) error {
	return api.AgentInfo.do(uintptr(agent), attribute, uintptr(unsafe.Pointer(to)))
}

// text is a string attribute of an agent.
func text(agent handle, attribute uintptr) string {
	var b [256]byte
	if agentInfo(agent, attribute, &b) != nil {
		return ""
	}
	s, _, _ := bytes.Cut(b[:], []byte{0})
	return string(s)
}
