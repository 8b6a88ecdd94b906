package compiler

import (
	"bufio"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Config are the settings of a Client.
//
//	setting                default                              meaning
//	AQUEDUCT_COMPILER      aqueductc beside the driver          the compiler process's executable
//	AQUEDUCT_CACHE         $XDG_CACHE_HOME/aqueduct, or else    folder of the program cache; "off" for none
//	                       ~/.cache/aqueduct
//	AQUEDUCT_CACHE_SIZE    1024                                 its size in MiB, above which the oldest programs go
//	AQUEDUCT_BUILD_TIMEOUT 300                                  seconds after which a build fails
type Config struct {
	Compiler   string
	CacheDir   string // "": no cache
	CacheLimit int64  // bytes
	Timeout    time.Duration
}

const executable = "aqueductc"

// environment reads the settings.
func environment() Config {
	c := Config{Compiler: os.Getenv("AQUEDUCT_COMPILER"), CacheDir: os.Getenv("AQUEDUCT_CACHE")}
	if c.Compiler == "" {
		c.Compiler = filepath.Join(filepath.Dir(ownFile()), executable)
	}
	switch c.CacheDir {
	case "off":
		c.CacheDir = ""
	case "":
		if dir, err := os.UserCacheDir(); err == nil {
			c.CacheDir = filepath.Join(dir, "aqueduct")
		}
	}
	c.CacheLimit = number("AQUEDUCT_CACHE_SIZE", 1024) << 20
	c.Timeout = time.Duration(number("AQUEDUCT_BUILD_TIMEOUT", 300)) * time.Second
	return c
}

func number(name string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(os.Getenv(name), 10, 40); err == nil && n > 0 {
		return n
	}
	return otherwise
}

// ownFile is the file that this code was loaded from: the driver, or the program it is linked into.
func ownFile() string {
	self, err := os.Executable()
	if err != nil {
		self = "/"
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return self
	}
	defer maps.Close()
	own := uint64(reflect.ValueOf(ownFile).Pointer())
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		// "7f12a000-7f12b000 r-xp 00000000 fe:00 1234   /path/with spaces"
		area, _, _ := strings.Cut(lines.Text(), " ")
		from, to, _ := strings.Cut(area, "-")
		low, err1 := strconv.ParseUint(from, 16, 64)
		high, err2 := strconv.ParseUint(to, 16, 64)
		if err1 != nil || err2 != nil || own < low || own >= high {
			continue
		}
		if i := strings.IndexByte(lines.Text(), '/'); i >= 0 {
			return lines.Text()[i:]
		}
	}
	return self
}
