//go:build simgpu

// What the simulated GPU accepts without doing anything, as nothing depends on it, and what it refuses: debuggers, sharing with other
// processes, graphics, and shared virtual memory by migration of pages.
#include "hsakmt.h"

HSAKMT_STATUS hsaKmtSetMemoryPolicy(HSAuint32 node, HSAuint32 policy, HSAuint32 other, void *address, HSAuint64 size)
{
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtSetTrapHandler(HSAuint32 node, void *code, HSAuint64 size, void *buffer, HSAuint64 buffer_size)
{
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetXNACKMode(HSAint32 *enabled)
{
	*enabled = 0;
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtSetXNACKMode(HSAint32 enabled)
{
	return enabled ? HSAKMT_STATUS_NOT_SUPPORTED : HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtRuntimeEnable(void *debugger, bool setup)
{
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtRuntimeDisable(void)
{
	return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtAllocQueueGWS(HSA_QUEUEID queue, HSAuint32 count, HSAuint32 *first)
{
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtRegisterGraphicsHandleToNodes(HSAuint64 handle, HsaGraphicsResourceInfo *info, HSAuint64 nodes, HSAuint32 *node)
{
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtShareMemory(void *address, HSAuint64 size, HsaSharedMemoryHandle *handle)
{
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtRegisterSharedHandle(const HsaSharedMemoryHandle *handle, void **address, HSAuint64 *size)
{
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtRegisterSharedHandleToNodes(const HsaSharedMemoryHandle *handle, void **address, HSAuint64 *size, HSAuint64 nodes,
						HSAuint32 *node)
{
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtSVMSetAttr(void *address, HSAuint64 size, unsigned count, HSA_SVM_ATTRIBUTE *attributes)
{
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtSVMGetAttr(void *address, HSAuint64 size, unsigned count, HSA_SVM_ATTRIBUTE *attributes)
{
	return HSAKMT_STATUS_NOT_SUPPORTED;
}
