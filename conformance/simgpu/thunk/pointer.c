//go:build simgpu

// What hsaKmtQueryPointerInfo answers.
#include <string.h>

#include "_cgo_export.h"

static const HSAuint32 gpu_node[] = {1};

HSAKMT_STATUS hsaKmtQueryPointerInfo(const void *pointer, HsaPointerInfo *info)
{
	uint64_t address, size, host, user;
	uint32_t flags, node, kind, mapped;
	memset(info, 0, sizeof *info);
	if (!simgpuLookup((uint64_t)pointer, &address, &size, &host, &user, &flags, &node, &kind, &mapped))
		return HSAKMT_STATUS_ERROR;
	info->Type = kind;
	info->Node = node;
	info->MemFlags.Value = flags;
	info->GPUAddress = address;
	info->SizeInBytes = size;
	info->CPUAddress = (void *)host;
	info->UserData = (void *)user;
	info->NMappedNodes = info->NRegisteredNodes = mapped;
	info->MappedNodes = info->RegisteredNodes = gpu_node;
	return HSAKMT_STATUS_SUCCESS;
}
