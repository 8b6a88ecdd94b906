// What the extensions of the driver add to CL/cl.h and the installed CL/cl_ext.h may lack, written after the OpenCL specification.
// gen reads it as it reads those.

// cl_ext_buffer_device_address
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002

typedef cl_int (CL_API_CALL *clSetKernelArgDevicePointerEXT_fn)(cl_kernel kernel, cl_uint arg_index, cl_ulong arg_value);

// cl_khr_spirv_queries
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB

// cl_khr_command_buffer 0.9.8
typedef struct _cl_command_buffer_khr *cl_command_buffer_khr;
typedef struct _cl_mutable_command_khr *cl_mutable_command_khr;
typedef cl_uint cl_sync_point_khr;
typedef cl_uint cl_command_buffer_info_khr;
typedef cl_properties cl_command_buffer_properties_khr;
typedef cl_properties cl_command_properties_khr;

#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR 0x12A9
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12AA
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR (1 << 0)
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR (1 << 1)
#define CL_COMMAND_BUFFER_FLAGS_KHR 0x1293
#define CL_COMMAND_BUFFER_QUEUES_KHR 0x1294
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR 0x1295
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR 0x1296
#define CL_COMMAND_BUFFER_STATE_KHR 0x1297
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR 0x1298
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR 0
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR 1
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12A8
#define CL_INVALID_COMMAND_BUFFER_KHR -1138
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR -1139
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR -1140

typedef cl_command_buffer_khr (CL_API_CALL *clCreateCommandBufferKHR_fn)(
	cl_uint num_queues, const cl_command_queue *queues, const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret);
typedef cl_int (CL_API_CALL *clRetainCommandBufferKHR_fn)(cl_command_buffer_khr command_buffer);
typedef cl_int (CL_API_CALL *clReleaseCommandBufferKHR_fn)(cl_command_buffer_khr command_buffer);
typedef cl_int (CL_API_CALL *clFinalizeCommandBufferKHR_fn)(cl_command_buffer_khr command_buffer);
typedef cl_int (CL_API_CALL *clEnqueueCommandBufferKHR_fn)(
	cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr command_buffer,
	cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int (CL_API_CALL *clGetCommandBufferInfoKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_buffer_info_khr param_name,
	size_t param_value_size, void *param_value, size_t *param_value_size_ret);
typedef cl_int (CL_API_CALL *clCommandBarrierWithWaitListKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandCopyBufferKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandCopyBufferRectKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	cl_mem src_buffer, cl_mem dst_buffer, const size_t *src_origin, const size_t *dst_origin, const size_t *region,
	size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandCopyBufferToImageKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	cl_mem src_buffer, cl_mem dst_image, size_t src_offset, const size_t *dst_origin, const size_t *region,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandCopyImageKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	cl_mem src_image, cl_mem dst_image, const size_t *src_origin, const size_t *dst_origin, const size_t *region,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandCopyImageToBufferKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	cl_mem src_image, cl_mem dst_buffer, const size_t *src_origin, const size_t *region, size_t dst_offset,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandFillBufferKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandFillImageKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	cl_mem image, const void *fill_color, const size_t *origin, const size_t *region,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandNDRangeKernelKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset, const size_t *global_work_size,
	const size_t *local_work_size,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandSVMMemcpyKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	void *dst_ptr, const void *src_ptr, size_t size,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);
typedef cl_int (CL_API_CALL *clCommandSVMMemFillKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties,
	void *svm_ptr, const void *pattern, size_t pattern_size, size_t size,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle);

// cl_khr_command_buffer_multi_device 0.9.2
#define CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR 0x0908
#define CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR (1 << 0)
#define CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR (1 << 1)
#define CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR (1 << 2)
#define CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR 0x12AB
#define CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR 0x12AC
#define CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR (1 << 4)
#define CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR (1 << 2)

typedef cl_command_buffer_khr (CL_API_CALL *clRemapCommandBufferKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_bool automatic, cl_uint num_queues, const cl_command_queue *queues,
	cl_uint num_handles, const cl_mutable_command_khr *handles, cl_mutable_command_khr *handles_ret, cl_int *errcode_ret);

// cl_khr_command_buffer_mutable_dispatch 0.9.5
typedef cl_uint cl_command_buffer_update_type_khr;
typedef cl_uint cl_mutable_command_info_khr;
typedef struct {
	cl_uint arg_index;
	size_t arg_size;
	const void *arg_value;
} cl_mutable_dispatch_arg_khr;
typedef struct {
	cl_uint param_name;
	size_t param_value_size;
	const void *param_value;
} cl_mutable_dispatch_exec_info_khr;
typedef struct {
	cl_mutable_command_khr command;
	cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
	const cl_mutable_dispatch_arg_khr *arg_list, *arg_svm_list;
	const cl_mutable_dispatch_exec_info_khr *exec_info_list;
	const size_t *global_work_offset, *global_work_size, *local_work_size;
} cl_mutable_dispatch_config_khr;

#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR (1 << 0)
#define CL_COMMAND_BUFFER_MUTABLE_KHR (1 << 1)
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR (1 << 2)
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12B0
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR 0x12B1
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR (1 << 0)
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR (1 << 1)
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR (1 << 2)
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR (1 << 3)
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR (1 << 4)
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR 0x12A0
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR 0x12A1
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#define CL_MUTABLE_DISPATCH_KERNEL_KHR 0x12A3
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR 0x12A4
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR 0x12A5
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR 0x12A6
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR 0x12A7
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR 0x12AD
#define CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR 0
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#define CL_INVALID_MUTABLE_COMMAND_KHR -1141

typedef cl_int (CL_API_CALL *clUpdateMutableCommandsKHR_fn)(
	cl_command_buffer_khr command_buffer, cl_uint num_configs, const cl_command_buffer_update_type_khr *config_types, const void **configs);
typedef cl_int (CL_API_CALL *clGetMutableCommandInfoKHR_fn)(
	cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
	size_t param_value_size, void *param_value, size_t *param_value_size_ret);

// cl_khr_semaphore
typedef struct _cl_semaphore_khr *cl_semaphore_khr;
typedef cl_properties cl_semaphore_properties_khr;
typedef cl_uint cl_semaphore_info_khr;
typedef cl_ulong cl_semaphore_payload_khr;

#define CL_SEMAPHORE_TYPE_BINARY_KHR 1
#define CL_PLATFORM_SEMAPHORE_TYPES_KHR 0x2036
#define CL_DEVICE_SEMAPHORE_TYPES_KHR 0x204C
#define CL_SEMAPHORE_CONTEXT_KHR 0x2039
#define CL_SEMAPHORE_REFERENCE_COUNT_KHR 0x203A
#define CL_SEMAPHORE_PROPERTIES_KHR 0x203B
#define CL_SEMAPHORE_PAYLOAD_KHR 0x203C
#define CL_SEMAPHORE_TYPE_KHR 0x203D
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#define CL_COMMAND_SEMAPHORE_WAIT_KHR 0x2042
#define CL_COMMAND_SEMAPHORE_SIGNAL_KHR 0x2043
#define CL_INVALID_SEMAPHORE_KHR -1142

typedef cl_semaphore_khr (CL_API_CALL *clCreateSemaphoreWithPropertiesKHR_fn)(
	cl_context context, const cl_semaphore_properties_khr *sema_props, cl_int *errcode_ret);
typedef cl_int (CL_API_CALL *clEnqueueWaitSemaphoresKHR_fn)(
	cl_command_queue command_queue, cl_uint num_sema_objects, const cl_semaphore_khr *sema_objects,
	const cl_semaphore_payload_khr *sema_payload_list, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int (CL_API_CALL *clEnqueueSignalSemaphoresKHR_fn)(
	cl_command_queue command_queue, cl_uint num_sema_objects, const cl_semaphore_khr *sema_objects,
	const cl_semaphore_payload_khr *sema_payload_list, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int (CL_API_CALL *clGetSemaphoreInfoKHR_fn)(
	cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name, size_t param_value_size, void *param_value, size_t *param_value_size_ret);
typedef cl_int (CL_API_CALL *clRetainSemaphoreKHR_fn)(cl_semaphore_khr sema_object);
typedef cl_int (CL_API_CALL *clReleaseSemaphoreKHR_fn)(cl_semaphore_khr sema_object);

// cl_khr_external_semaphore 1.0.1, cl_khr_external_semaphore_opaque_fd, cl_khr_external_semaphore_sync_fd
typedef cl_uint cl_external_semaphore_handle_type_khr;
typedef cl_properties cl_semaphore_reimport_properties_khr;

#define CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR 0x2037
#define CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR 0x2038
#define CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR 0x204D
#define CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR 0x204E
#define CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR 0x203F
#define CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR 0
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#define CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR 0x2055
#define CL_SEMAPHORE_HANDLE_SYNC_FD_KHR 0x2058

typedef cl_int (CL_API_CALL *clGetSemaphoreHandleForTypeKHR_fn)(
	cl_semaphore_khr sema_object, cl_device_id device, cl_external_semaphore_handle_type_khr handle_type,
	size_t handle_size, void *handle_ptr, size_t *handle_size_ret);
typedef cl_int (CL_API_CALL *clReImportSemaphoreSyncFdKHR_fn)(
	cl_semaphore_khr sema_object, cl_semaphore_reimport_properties_khr *reimport_props, int fd);

// cl_khr_external_memory 1.0.1, cl_khr_external_memory_opaque_fd
#define CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR 0x2044
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR 0x204F
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#define CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR 0x2047
#define CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR 0x2048
#define CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR 0x2060

typedef cl_int (CL_API_CALL *clEnqueueAcquireExternalMemObjectsKHR_fn)(
	cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
	cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int (CL_API_CALL *clEnqueueReleaseExternalMemObjectsKHR_fn)(
	cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
	cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
