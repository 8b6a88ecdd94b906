//go:build simgpu

// The topology: properties of the two nodes, their memory, caches and the link between them, as the kernel driver reports them for
// cards with these chips.
#include "topology.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hsakmt.h"

enum { HOST = 0, GPU = 1, SIMDS = 4 };

struct chip {
	const char *name, *marketing;
	unsigned stepping, device, waves;
	int ecc;
};

static const struct chip chips[] = {
	{"gfx906", "Simulated Instinct MI50", 6, 0x66a1, 10, 0},
	{"gfx90a", "Simulated Instinct MI210", 10, 0x740f, 8, 1},
};

static uint64_t vram_size, local_base, private_base;
static unsigned units, engines;
static uint32_t registers[1024] __attribute__((aligned(4096)));

void simgpu_apertures(uint64_t vram, uint64_t local, uint64_t private)
{
	vram_size = vram;
	local_base = local;
	private_base = private;
}

void simgpu_units(unsigned u, unsigned e)
{
	units = u;
	engines = e;
}

static const struct chip *chip(void)
{
	const char *want = getenv("SIMGPU_CHIP");
	for (unsigned i = 1; want && i < sizeof chips / sizeof *chips; i++)
		if (!strcmp(chips[i].name, want))
			return &chips[i];
	return &chips[0];
}

HSAKMT_STATUS hsaKmtAcquireSystemProperties(HsaSystemProperties *p)
{
	memset(p, 0, sizeof *p);
	p->NumNodes = 2;
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtReleaseSystemProperties(void)
{
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeProperties(HSAuint32 node, HsaNodeProperties *p)
{
	const struct chip *c = chip();
	if (node > GPU)
		return HSAKMT_STATUS_INVALID_NODE_UNIT;
	memset(p, 0, sizeof *p);
	const char *name = node == GPU ? c->marketing : "Host of the simulated GPU";
	for (int i = 0; name[i]; i++)
		p->MarketingName[i] = name[i];
	p->NumIOLinks = 1;
	p->NumCaches = 2;
	p->NumMemoryBanks = 1;
	if (node == HOST) {
		p->NumCPUCores = sysconf(_SC_NPROCESSORS_ONLN);
		p->MaxEngineClockMhzCCompute = 3000;
		return HSAKMT_STATUS_SUCCESS;
	}
	strcpy((char *)p->AMDName, c->name);
	p->NumMemoryBanks = 4;
	p->NumFComputeCores = units * SIMDS;
	p->NumSIMDPerCU = SIMDS;
	p->FComputeIdLo = 0x80001000;
	p->Capability.ui32.DoorbellType = 2;
	p->Capability.ui32.QueueSizePowerOfTwo = 1;
	p->Capability.ui32.WatchPointsSupported = 1;
	p->Capability.ui32.SRAM_EDCSupport = c->ecc;
	p->MaxWavesPerSIMD = c->waves;
	p->MaxSlotsScratchCU = 32;
	p->LDSSizeInKB = 64;
	p->WaveFrontSize = 64;
	p->NumShaderBanks = engines;
	p->NumArrays = 1;
	p->NumCUPerArray = units / engines;
	p->EngineId.ui32.Major = 9;
	p->EngineId.ui32.Stepping = c->stepping;
	p->EngineId.ui32.uCode = 500;
	p->VendorId = 0x1002;
	p->DeviceId = c->device;
	p->LocationId = 0x0300;
	p->LocalMemSize = vram_size;
	p->MaxEngineClockMhzFCompute = 1700;
	p->DrmRenderMinor = 128;
	p->NumSdmaEngines = 2;
	p->NumSdmaQueuesPerEngine = 8;
	p->NumCpQueues = 24;
	p->UniqueID = 0x51a9d0001;
	p->VGPRSizePerCU = 256 << 10;
	p->SGPRSizePerCU = 16 << 10;
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeMemoryProperties(HSAuint32 node, HSAuint32 banks, HsaMemoryProperties *m)
{
	if (node > GPU)
		return HSAKMT_STATUS_INVALID_NODE_UNIT;
	const HsaMemoryProperties host[] = {
		{.HeapType = HSA_HEAPTYPE_SYSTEM,
		 .SizeInBytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE),
		 .Width = 64,
		 .MemoryClockMax = 1600},
	};
	const HsaMemoryProperties gpu[] = {
		{.HeapType = HSA_HEAPTYPE_FRAME_BUFFER_PRIVATE, .SizeInBytes = vram_size, .Width = 4096, .MemoryClockMax = 1000},
		{.HeapType = HSA_HEAPTYPE_GPU_LDS, .SizeInBytes = 64 << 10, .VirtualBaseAddress = local_base},
		{.HeapType = HSA_HEAPTYPE_GPU_SCRATCH, .SizeInBytes = 4ull << 30, .VirtualBaseAddress = private_base},
		{.HeapType = HSA_HEAPTYPE_MMIO_REMAP, .SizeInBytes = 4096, .VirtualBaseAddress = (uint64_t)registers},
	};
	const HsaMemoryProperties *all = node == GPU ? gpu : host;
	unsigned count = node == GPU ? sizeof gpu / sizeof *gpu : sizeof host / sizeof *host;
	memset(m, 0, banks * sizeof *m);
	memcpy(m, all, (banks < count ? banks : count) * sizeof *m);
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeCacheProperties(HSAuint32 node, HSAuint32 processor, HSAuint32 caches, HsaCacheProperties *c)
{
	memset(c, 0, caches * sizeof *c);
	for (unsigned i = 0; i < caches; i++) {
		c[i].CacheLevel = i + 1;
		c[i].CacheSize = i ? 4096 : 16;
		c[i].CacheLineSize = 64;
		c[i].CacheType.ui32.Data = 1;
		c[i].CacheType.ui32.HSACU = node == GPU;
		c[i].CacheType.ui32.CPU = node == HOST;
	}
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeIoLinkProperties(HSAuint32 node, HSAuint32 links, HsaIoLinkProperties *l)
{
	memset(l, 0, links * sizeof *l);
	l->IoLinkType = HSA_IOLINKTYPE_PCIEXPRESS;
	l->NodeFrom = node;
	l->NodeTo = !node;
	l->Weight = 20;
	l->Flags.ui32.Override = 1;
	l->MaximumBandwidth = 16000;
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetTileConfig(HSAuint32 node, HsaGpuTileConfig *c)
{
	c->NumTileConfigs = c->NumMacroTileConfigs = c->NumBanks = c->NumRanks = 0;
	c->GbAddrConfig = 0x24000042;
	return HSAKMT_STATUS_SUCCESS;
}
