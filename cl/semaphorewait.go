package cl

import (
	"slices"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// checkSemaphores is what waits and signals check.
func (q *Queue) checkSemaphores(ss []*Semaphore, s Sync) Status {
	// CL_INVALID_VALUE if num_sema_objects is 0
	if len(ss) == 0 {
		return CL_INVALID_VALUE
	}
	for _, sem := range ss {
		// CL_INVALID_COMMAND_QUEUE if the device associated with command_queue is not same as one of the devices specified by
		// CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, or if one or more of sema_objects belong to a context that does not contain it
		if !slices.Contains(sem.devices, q.device) {
			return CL_INVALID_COMMAND_QUEUE
		}
		// CL_INVALID_CONTEXT if the context associated with command_queue and any of the semaphore objects in sema_objects are not
		// the same
		if sem.ctx != q.ctx {
			return CL_INVALID_CONTEXT
		}
	}
	if st := q.check(s); st != CL_SUCCESS {
		return st
	}
	return s.failed()
}

// failed is CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST "if the execution status of any of the events in event_wait_list is a
// negative integer value".
func (s Sync) failed() Status {
	for _, e := range s.Wait {
		if e.command.Status() < hostqueue.Complete {
			return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
		}
	}
	return CL_SUCCESS
}

// WaitSemaphores is clEnqueueWaitSemaphoresKHR. The payload list is of no interest to binary semaphores.
func (q *Queue) WaitSemaphores(ss []*Semaphore, s Sync) (*Event, Status) {
	if st := q.checkSemaphores(ss, s); st != CL_SUCCESS {
		return nil, st
	}
	if !useAll(ss) {
		return nil, CL_INVALID_SEMAPHORE_KHR
	}
	c, e := q.command(CL_COMMAND_SEMAPHORE_WAIT_KHR, hostqueue.KindCommand, roc.Nothing{}, s)
	c.OnDone = func(*hostqueue.Command) { unuseAll(ss) }
	wait := s.commands(nil)
	for _, sem := range ss {
		wait = append(wait, sem.wait(c))
	}
	return q.submitBehind(c, e, wait, false)
}

// SignalSemaphores is clEnqueueSignalSemaphoresKHR.
func (q *Queue) SignalSemaphores(ss []*Semaphore, s Sync) (*Event, Status) {
	if st := q.checkSemaphores(ss, s); st != CL_SUCCESS {
		return nil, st
	}
	if !useAll(ss) {
		return nil, CL_INVALID_SEMAPHORE_KHR
	}
	var op hostqueue.Op = roc.Nothing{}
	if slices.ContainsFunc(ss, func(sem *Semaphore) bool { return sem.shared != nil }) {
		op = roc.HostFunc{Run: func() error { return postAll(ss) }}
	}
	c, e := q.command(CL_COMMAND_SEMAPHORE_SIGNAL_KHR, hostqueue.KindCommand, op, s)
	var tokens []*token
	for _, sem := range ss {
		if sem.shared == nil {
			tokens = append(tokens, sem.signal(c))
		}
	}
	c.OnDone = func(c *hostqueue.Command) {
		status := c.Status()
		if status > hostqueue.Complete { // it was never enqueued
			status = hostqueue.ErrOutOfResources
		}
		for _, t := range tokens {
			t.fired.SetUserStatus(status, hostqueue.Leaves)
		}
		unuseAll(ss)
	}
	e, st := q.submit(c, e, s, false)
	if st == CL_SUCCESS {
		q.Flush() // who waits for it in another queue cannot
	}
	return e, st
}

func useAll(ss []*Semaphore) bool {
	for i, s := range ss {
		if !s.Use() {
			unuseAll(ss[:i])
			return false
		}
	}
	return true
}

func unuseAll(ss []*Semaphore) {
	for _, s := range ss {
		s.Unuse()
	}
}

// wait returns what c, a wait that is being enqueued, has to wait for.
func (s *Semaphore) wait(c *hostqueue.Command) *hostqueue.Command {
	if s.shared != nil {
		return s.take()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.signaled
	if t != nil {
		s.signaled = nil
	} else {
		t = newToken()
		s.awaited = append(s.awaited, t)
	}
	s.waiting, s.waitsFor = c, t
	return &t.fired
}

// signal returns the token that c, a signal that is being enqueued, has to fire when it has ended.
func (s *Semaphore) signal(c *hostqueue.Command) *token {
	s.mu.Lock()
	defer s.mu.Unlock()
	var t *token
	if len(s.awaited) > 0 {
		t, s.awaited = s.awaited[0], s.awaited[1:]
	} else {
		t = newToken()
		s.signaled = t
	}
	t.signal = c
	return t
}
