package soft

import "aqueduct/roc/trace"

// record executes work-groups [first, last) of l and tells of it.
func (t *thread) record(l *launch, first, last uint64) error {
	e := trace.Event{Kind: trace.Chunk, Track: t.number, ID: l.id, Name: l.kernel.name, Start: trace.Now(), Groups: last - first, Items: l.items}
	if first == l.first {
		e.Count = 1
	}
	if l.kernel.run != nil {
		e.Type = "of the agent"
	}
	err := t.perform(l, first, last)
	e.End = trace.Now()
	trace.Record(&e)
	return err
}

// serve does what an agent dispatch packet asks for, and tells of it if the command with this id is recorded.
func (t *thread) serve(arg, id uint64) error {
	if id == 0 {
		return t.agent.service(arg)
	}
	e := trace.Event{Kind: trace.Chunk, Track: t.number, ID: id, Name: "native kernel", Type: "of the host", Start: trace.Now(), Count: 1, Groups: 1, Items: 1}
	err := t.agent.service(arg)
	e.End = trace.Now()
	trace.Record(&e)
	return err
}

// busy is how many workers are executing something.
func (p *pool) busy() int64 {
	return max(int64(p.size)-int64(p.spare.Load())-int64(p.attentive.Load()), 0)
}
