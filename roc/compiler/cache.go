package compiler

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"aqueduct/filelimit"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/protocol"
)

// cache keeps programs on disk, one file each, under the hash of all that went into them. An entry also names the files its
// source included and what they held: it counts only while they hold it still. (A new file that would be found first, in a
// directory searched earlier, goes unnoticed.) Writers rename complete files into place,
// readers trust checksums only, and no failure of it is one of a build.
type cache struct {
	dir    string // "": keeps nothing
	limit  int64  // bytes
	stores atomic.Int64
}

func openCache(dir string, limit int64) *cache { return &cache{dir: dir, limit: limit} }

// keyOf hashes a request, and what its compiler is.
func keyOf(r *protocol.Request, compiler string) (key [sha256.Size]byte) {
	h := sha256.New()
	part := func(b []byte) {
		binary.Write(h, binary.LittleEndian, uint64(len(b)))
		h.Write(b)
	}
	text := func(parts ...string) {
		binary.Write(h, binary.LittleEndian, uint64(len(parts)))
		for _, s := range parts {
			part([]byte(s))
		}
	}
	clang, _ := frontend.Clang()
	text(identity(compiler), identity(filepath.Join(filepath.Dir(compiler), "builtins", "index")), identity(clang))
	if r.Target.GPU() {
		linker, _ := frontend.Linker()
		libraries, _ := frontend.DeviceLibraries()
		text("gpu", identity(linker), identity(filepath.Join(libraries, "opencl.bc")))
	}
	if r.IL {
		translator, _ := frontend.Translator()
		text("il", identity(translator))
	}
	text(fmt.Sprint(codeobject.Version, r.Stage, r.Defer), r.Target.ID, r.Target.CPU, r.Options)
	text(r.Target.Features...)
	text(r.Target.Extensions...)
	text(r.Target.Versions...)
	part(r.Source)
	for _, header := range r.Headers {
		text(header.Name)
		part(header.Source)
	}
	for _, input := range r.Inputs {
		part(input)
	}
	// Where relative paths start is of no importance to a source that includes nothing.
	if bytes.Contains(r.Source, []byte("include")) {
		text(r.Dir)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// identity tells versions of a file apart without reading it.
func identity(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
}

// entryHeader precedes the metadata and the program.
type entryHeader struct {
	Magic     [8]byte
	Sum, Size uint64 // of the metadata
}

var entryMagic = [8]byte{'A', 'Q', 'D', 'C', 'A', 'C', 'H', 1}

type metadata struct {
	Log  string
	Deps []protocol.Dependency
}

func (c *cache) path(key [sha256.Size]byte) string {
	name := hex.EncodeToString(key[:])
	return filepath.Join(c.dir, name[:2], name[2:])
}

// load returns the program kept under key and its build log, nil if there is none that is sound and still true.
func (c *cache) load(key [sha256.Size]byte) (*codeobject.Program, string) {
	if c.dir == "" {
		return nil, ""
	}
	path := c.path(key)
	data, err := readRegular(path)
	if err != nil {
		return nil, ""
	}
	meta, program := readEntry(data)
	if program == nil {
		os.Remove(path)
		return nil, ""
	}
	for _, d := range meta.Deps {
		text, err := readRegular(d.Path)
		if err != nil || sha256.Sum256(text) != d.Sum {
			return nil, ""
		}
	}
	now := time.Now()
	os.Chtimes(path, now, now) // eviction takes the longest unused
	return program, meta.Log
}

// readRegular reads a file that a build must not wait for, as it would for someone to write to a named pipe.
func readRegular(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	data := make([]byte, info.Size())
	_, err = io.ReadFull(f, data)
	return data, err
}

func readEntry(data []byte) (meta metadata, program *codeobject.Program) {
	var h entryHeader
	n := binary.Size(h)
	if len(data) < n {
		return meta, nil
	}
	binary.Read(bytes.NewReader(data), binary.LittleEndian, &h)
	data = data[n:]
	if h.Magic != entryMagic || h.Size > uint64(len(data)) {
		return meta, nil
	}
	text := data[:h.Size]
	if checksum(text) != h.Sum || json.Unmarshal(text, &meta) != nil {
		return meta, nil
	}
	program, err := codeobject.Unmarshal(data[h.Size:])
	if err != nil {
		return meta, nil
	}
	return meta, program
}

func checksum(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}

// store keeps what a build gave.
func (c *cache) store(key [sha256.Size]byte, r *protocol.Reply) {
	if c.dir == "" || r.Volatile {
		return
	}
	text, err := json.Marshal(metadata{r.Log, r.Deps})
	if err != nil {
		return
	}
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, entryHeader{entryMagic, checksum(text), uint64(len(text))})
	b.Write(text)
	b.Write(r.Program)
	path := c.path(key)
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return
	}
	err = filelimit.Guard(func() error {
		_, err := f.Write(b.Bytes())
		return err
	})
	if err2 := f.Close(); err != nil || err2 != nil || os.Rename(f.Name(), path) != nil {
		os.Remove(f.Name())
		return
	}
	if c.stores.Add(1)%evictEvery == 1 {
		go c.evict()
	}
}

// evictEvery is how many stores go by between two looks at the cache's size; the first store looks, too.
const evictEvery = 64

// evict removes the longest unused entries until nine tenths of the limit are left, if they are more than the limit.
func (c *cache) evict() {
	type entry struct {
		path string
		size int64
		used time.Time
	}
	var entries []entry
	total := int64(0)
	filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			entries = append(entries, entry{path, info.Size(), info.ModTime()})
			total += info.Size()
		}
		return nil
	})
	if total <= c.limit {
		return
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.used.Compare(b.used) })
	for _, e := range entries {
		if total <= c.limit/10*9 {
			return
		}
		if os.Remove(e.path) == nil {
			total -= e.size
		}
	}
}
