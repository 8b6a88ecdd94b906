package compiler

import (
	"bufio"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"aqueduct/roc/settings"
)

// Config are the settings of a Client.
type Config struct {
	Compiler   string
	CacheDir   string // "": no cache
	CacheLimit int64  // bytes
	Timeout    time.Duration
}

const executable = "aqueductc"

// Environment reads the settings.
func Environment() Config {
	c := Config{Compiler: settings.Compiler.Value(), CacheDir: settings.Cache.Value()}
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
	c.CacheLimit = int64(settings.CacheSize.Value()) << 20
	c.Timeout = time.Duration(settings.BuildTimeout.Value()) * time.Second
	return c
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
