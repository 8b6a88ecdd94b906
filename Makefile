# Aqueduct. `make help` lists what there is to make.
PREFIX   ?= /usr
DESTDIR  ?=
LIBDIR    = $(PREFIX)/lib/aqueduct
VENDORS   = /etc/OpenCL/vendors
BINDIR    = $(PREFIX)/bin
BUILD     = build
PACKAGES  = clang-19 libllvm19 lld-19 llvm-spirv-15 spirv-tools ocl-icd-libopencl1 ocl-icd-opencl-dev opencl-headers clinfo clpeak pocl-opencl-icd oclgrind chromium
# What make clients drives.
CLIENTS   = python3-pyopencl python3-numpy python3-opencv hashcat libclblast1 libclblast-dev clblast-utils ffmpeg libboost-dev libviennacl-dev g++ darktable python3-silx python3-pyfai python3-pytest
# What the AMD path is tested with, on a simulated GPU.
AMD       = libhsa-runtime64-1 libhsa-runtime-dev libhsakmt-dev rocm-device-libs libamd-comgr2
GO       ?= go
SHELL     = /bin/bash

# For make conformance: registration file of the driver, number of the device, and more arguments of conformance/run.
ICD      ?= $(BUILD)/aqueduct.icd
DEVICE   ?= 0
MODE     ?= quick
ARGS     ?=

.PHONY: help setup clients-setup amd-setup build simgpu run test test-amd seeds-amd mutate-amd lint bench picture supported random opinion fuzz conformance programs clients soak soak-families install stage uninstall deb try-deb clean
.DEFAULT_GOAL = help

help: ## this list
	@awk -F ': .*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install the Debian packages that building and testing need
clients-setup: PACKAGES += $(CLIENTS)
amd-setup: PACKAGES += $(AMD)
setup clients-setup amd-setup:
	@missing=; for p in $(PACKAGES); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then echo "installing$$missing"; sudo=; [ $$(id -u) = 0 ] || sudo=sudo; \
	$$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq $$missing >/dev/null; fi

build: setup ## the driver, its compiler and a registration file, all in build/
	@mkdir -p $(BUILD)
	$(GO) build -buildmode=c-shared -ldflags '-extldflags "-Wl,-z,nodelete -Wl,-Bsymbolic -Wl,--version-script=$(CURDIR)/icd/exports.map"' -o $(BUILD)/libaqueduct.so ./icd
	@rm -f $(BUILD)/libaqueduct.h
	$(GO) build -o $(BUILD)/aqueductc ./roc/compiler/aqueductc
	$(GO) build -o $(BUILD)/aqueduct-doctor ./vendors/doctor
	$(BUILD)/aqueductc builtins $(BUILD)/builtins
	@sed 's,@LIBRARY@,$(CURDIR)/$(BUILD)/libaqueduct.so,' vendors/aqueduct.icd.in > $(BUILD)/aqueduct.icd

run: build ## clinfo, the conformance programs and clpeak on the driver just built
	$(GO) run ./conformance/show $(BUILD)/aqueduct.icd

test: build ## every test
	$(GO) vet ./...
	$(GO) test -timeout 30m ./...
	$(GO) test -timeout 30m -race ./hostqueue ./roc/soft ./roc ./cl

simgpu: amd-setup ## the simulated AMD GPU: programs with LD_LIBRARY_PATH=build/simgpu find it through AMD's own HSA runtime
	@mkdir -p $(BUILD)/simgpu
	$(GO) build -tags simgpu -buildmode=c-shared -ldflags "-extldflags '-Wl,-soname,libhsakmt.so.1 -Wl,-z,nodelete -Wl,-Bsymbolic -Wl,--version-script=$(CURDIR)/conformance/simgpu/thunk/thunk.map'" -o $(BUILD)/simgpu/libhsakmt.so.1 ./conformance/simgpu/thunk
	@rm -f $(BUILD)/simgpu/libhsakmt.so.h

test-amd: build simgpu ## the path through AMD's HSA runtime, on the simulated GPU
	AQUEDUCT_SIMGPU=$(CURDIR)/$(BUILD)/simgpu $(GO) test -count=1 -timeout 10m -tags amd ./conformance/simgpu/...
	$(GO) test -count=1 -timeout 10m -tags amd ./conformance/amd
	AQUEDUCT_DEVICES=gpu AQUEDUCT_COMPILER=$(CURDIR)/$(BUILD)/aqueductc LD_LIBRARY_PATH=$(CURDIR)/$(BUILD)/simgpu $(GO) test -count=1 -timeout 10m ./roc ./cl

seeds-amd: build simgpu ## programs on the simulated GPU with many seeds, in each of which all takes other turns (SEEDS=from-to)
	AMD_SEEDS=$(or $(SEEDS),1-200) $(GO) test -count=1 -timeout 60m -v -parallel 2 -run EverySeed -tags amd ./conformance/amd | grep -v '^=== '

mutate-amd: build simgpu ## deliberate faults on the way to AMD's GPUs, each to be found by a test (FAULT="part of a name")
	$(GO) run ./conformance/amd/mutate $(if $(FAULT),"$(FAULT)")

lint: ## gofmt, go vet, staticcheck
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "not gofmt'd: $$bad"; exit 1; }
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

bench: build ## launch, compile and kernel speed of the driver and of any other installed one, as ratios and a picture
	$(GO) run ./conformance/bench $(BUILD)/aqueduct.icd

picture: build ## docs/report.png, which the README shows: a report as a browser draws it, of a program whose build is cached
	cd conformance/programs && gcc -O2 -o $(CURDIR)/$(BUILD)/bfs bfs.c -lOpenCL -lm
	for i in 1 2; do OCL_ICD_VENDORS=$(CURDIR)/$(BUILD)/aqueduct.icd AQUEDUCT_CACHE=$(CURDIR)/$(BUILD)/cache AQUEDUCT_REPORT=$(BUILD)/report.html $(BUILD)/bfs || exit; done
	@mkdir -p docs
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir=$(CURDIR)/$(BUILD)/chromium --window-size=1000,820 \
	--virtual-time-budget=2000 --screenshot=docs/report.png file://$(CURDIR)/$(BUILD)/report.html

supported: build ## the table of what is supported in the README, from what the device reports
	$(GO) run ./conformance/supported $(BUILD)/aqueduct.icd README.md

soak-families: build ## random families of kernels that enqueue kernels, others each time (MINUTES=n, SEED=n, ARGS=-race)
	SOAK_SECONDS=$$((60 * $(or $(MINUTES),10))) SOAK_SEED=$(or $(SEED),$$(date +%s)) $(GO) test -timeout 0 -v -run RandomFamilies $(ARGS) ./cl

random: setup ## random kernels in every form against a serial reference, spread over the processors (SEEDS=from-to, KIND=Small)
	@mkdir -p $(BUILD)
	$(GO) test -c -o $(BUILD)/random.test ./roc/compiler/wfv
	KIND=$(KIND) roc/compiler/wfv/random $(BUILD)/random.test $(subst -, ,$(or $(SEEDS),1-1000))

opinion: setup ## what another driver says of random kernels that any should run (AGAINST=its .icd, SEEDS=from-to, ARGS=-options ...)
	$(GO) run ./conformance/opinion -icd $(or $(AGAINST),/etc/OpenCL/vendors/pocl.icd) -seeds $(or $(SEEDS),1-100) $(ARGS)

fuzz: build ## random kernels against a serial reference, until stopped (SEEDS=from-to)
	AQUEDUCT_FUZZ_SEEDS=$(or $(SEEDS),0-1000000) $(GO) test -timeout 0 -run Random ./roc/compiler/...

conformance: build ## the Khronos CTS on the driver (CTS=directory of its binaries, MODE=quick or full, ICD=another driver, ARGS=-resume ...)
	@[ -n "$(CTS)" ] || { echo "CTS=directory of the built binaries (test_conformance in its build tree) is needed"; exit 2; }
	$(GO) run ./conformance/run -icd $(ICD) -device $(DEVICE) -mode $(MODE) -binaries $(CTS) $(ARGS)

programs: build ## our own programs under the same runner
	$(GO) run ./conformance/run -icd $(ICD) -device $(DEVICE) -mode $(MODE) -manifest programs $(ARGS)

clients: clients-setup build ## real programs from Debian that use OpenCL, each with its results checked
	$(GO) run ./conformance/run -icd $(ICD) -device $(DEVICE) -mode $(MODE) -manifest clients $(ARGS)

soak: build ## random programs of commands on many queues and threads, against what must be true (MINUTES=n, SEED=n)
	$(GO) run ./conformance/run -icd $(ICD) -device $(DEVICE) -manifest soak -length $(or $(MINUTES),5)m -seed $(or $(SEED),1) $(ARGS)

mutate: build ## deliberate faults in the vectoriser, each to be found by its tests (FAULT="part of a name")
	$(GO) run ./roc/compiler/wfv/mutate $(if $(FAULT),"$(FAULT)")

install: build stage ## put the driver where the ICD loader finds it (DESTDIR, PREFIX)

stage: # what install does with what is built
	install -D -m 755 -t $(DESTDIR)$(LIBDIR) $(BUILD)/libaqueduct.so $(BUILD)/aqueductc $(BUILD)/aqueduct-doctor
	install -d $(DESTDIR)$(BINDIR)
	ln -sf ../lib/aqueduct/aqueductc ../lib/aqueduct/aqueduct-doctor $(DESTDIR)$(BINDIR)
	install -D -m 644 -t $(DESTDIR)$(LIBDIR)/builtins $(BUILD)/builtins/*
	install -d $(DESTDIR)$(VENDORS)
	sed 's,@LIBRARY@,$(LIBDIR)/libaqueduct.so,' vendors/aqueduct.icd.in > $(DESTDIR)$(VENDORS)/aqueduct.icd

uninstall: ## take it away again
	rm -rf $(DESTDIR)$(LIBDIR)
	rm -f $(DESTDIR)$(VENDORS)/aqueduct.icd $(DESTDIR)$(BINDIR)/aqueductc $(DESTDIR)$(BINDIR)/aqueduct-doctor

deb: build ## the Debian package, in build/
	vendors/deb/build $(BUILD)

try-deb: deb ## lint it, install it in a clean Debian, run a kernel there, remove it (root; minutes)
	@for p in lintian debootstrap; do command -v $$p >/dev/null || apt-get install -y -qq $$p >/dev/null; done
	vendors/deb/try $(BUILD)/*.deb

clean: ## remove build/
	rm -rf $(BUILD)
