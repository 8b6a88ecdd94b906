package elflink

import (
	"debug/elf"
	"os"
	"path/filepath"
	"sync"
)

// System are what native kernels may call: the C library's elementary functions, scalar and vector, and its memcpy; and what
// LLVM takes to be there where the processor lacks an instruction, as to round a double to a half.
var System = sync.OnceValue(func() (libs []*Library) {
	for _, name := range []string{"libm.so.6", "libmvec.so.1", "libc.so.6", "libgcc_s.so.1"} {
		for _, dir := range []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"} {
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err == nil {
				libs = append(libs, &Library{Path: path})
				break
			}
		}
	}
	return libs
})

// Library is a shared object that symbols may come from. It is read when the first symbol is looked for in it.
type Library struct {
	Path string

	once    sync.Once
	name    string            // its soname
	version map[string]string // of each function it defines, "" for none
}

// read lists the functions of the library; one that cannot be read has none.
func (lib *Library) read() {
	lib.name = filepath.Base(lib.Path)
	f, err := elf.Open(lib.Path)
	if err != nil {
		return
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return
	}
	if names, err := f.DynString(elf.DT_SONAME); err == nil && len(names) == 1 {
		lib.name = names[0]
	}
	lib.version = make(map[string]string, len(symbols))
	for _, s := range symbols {
		kind := elf.ST_TYPE(s.Info)
		function := kind == elf.STT_FUNC || kind == elf.STT_GNU_IFUNC
		if s.Section != elf.SHN_UNDEF && function && !(s.HasVersion && s.VersionIndex.IsHidden()) {
			lib.version[s.Name] = s.Version
		}
	}
}

// versions is the table of versions that imports ask for, by library.
type versions struct {
	libs  []*Library
	names []map[string]int // of each library: version to index
	count int
}

// index returns the number of a library's version; 1 is "global, no version", real ones follow.
func (v *versions) index(lib *Library, version string) int {
	at := -1
	for i, l := range v.libs {
		if l == lib {
			at = i
		}
	}
	if at < 0 {
		at = len(v.libs)
		v.libs, v.names = append(v.libs, lib), append(v.names, map[string]int{})
	}
	if version == "" {
		return 1
	}
	if v.names[at][version] == 0 {
		v.count++
		v.names[at][version] = v.count + 1
	}
	return v.names[at][version]
}

// resolve finds the library that defines s.
func (l *link) resolve(s *symbol) bool {
	for _, lib := range l.libs {
		lib.once.Do(lib.read)
		if version, ok := lib.version[s.name]; ok {
			s.version = l.versions.index(lib, version)
			return true
		}
	}
	return false
}
