// The blit kernels for GPUs: a work-group of 256 work-items moves 64 KiB, its work-items side by side, in pieces as large as all
// addresses, rows and pitches allow.

#define GROUP 65536ul
#define ITEMS 256

typedef struct {
	ulong dst, src, size[3], dst_pitch[2], src_pitch[2];
} copy_args;

typedef struct {
	ulong dst, size[3], pitch[2], length;
	uchar pattern[128];
} fill_args;

// Where byte i of a region of rows and slices is; divisions are dear, those of 64 bits most of all.
static ulong place(ulong i, ulong row, ulong rows, ulong pitch, ulong slice, ulong *x) {
	ulong y;
	if ((i | row) >> 32) {
		y = i / row;
		*x = i % row;
	} else {
		y = (uint)i / (uint)row;
		*x = (uint)i % (uint)row;
	}
	if ((y | rows) >> 32)
		return *x + y % rows * pitch + y / rows * slice;
	return *x + (ulong)((uint)y % (uint)rows) * pitch + (ulong)((uint)y / (uint)rows) * slice;
}

#define COPY(type) \
	for (ulong i = first + item * sizeof(type); i < end; i += ITEMS * sizeof(type)) { \
		ulong to = i, from = i; \
		if (many) { \
			ulong x; \
			to = place(i, a->size[0], a->size[1], a->dst_pitch[0], a->dst_pitch[1], &x); \
			from = place(i, a->size[0], a->size[1], a->src_pitch[0], a->src_pitch[1], &x); \
		} \
		*(global type *)(a->dst + to) = *(const global type *)(a->src + from); \
	}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void copy(copy_args unused) {
	constant copy_args *a = (constant copy_args *)__builtin_amdgcn_kernarg_segment_ptr();
	ulong total = a->size[0] * a->size[1] * a->size[2];
	ulong first = __builtin_amdgcn_workgroup_id_x() * GROUP, end = min(first + GROUP, total);
	uint item = __builtin_amdgcn_workitem_id_x();
	bool many = a->size[1] * a->size[2] > 1;
	ulong all = a->dst | a->src | a->size[0];
	if (many)
		all |= a->dst_pitch[0] | a->dst_pitch[1] | a->src_pitch[0] | a->src_pitch[1];
	if (all % 16 == 0) {
		COPY(uint4)
	} else if (all % 4 == 0) {
		COPY(uint)
	} else {
		COPY(uchar)
	}
}

#define FILL(type) \
	for (ulong i = first + item * sizeof(type); i < end; i += ITEMS * sizeof(type)) { \
		ulong x = i, to = i; \
		if (many) \
			to = place(i, a->size[0], a->size[1], a->pitch[0], a->pitch[1], &x); \
		*(global type *)(a->dst + to) = *(constant type *)&a->pattern[whole ? x % 128 : x % a->length]; \
	}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void fill(fill_args unused) {
	constant fill_args *a = (constant fill_args *)__builtin_amdgcn_kernarg_segment_ptr();
	ulong total = a->size[0] * a->size[1] * a->size[2];
	ulong first = __builtin_amdgcn_workgroup_id_x() * GROUP, end = min(first + GROUP, total);
	uint item = __builtin_amdgcn_workitem_id_x();
	bool many = a->size[1] * a->size[2] > 1, whole = (a->length & (a->length - 1)) == 0;
	ulong all = a->dst | a->size[0];
	if (many)
		all |= a->pitch[0] | a->pitch[1];
	if (whole && all % 16 == 0) {
		FILL(uint4)
	} else if (whole && all % 4 == 0) {
		FILL(uint)
	} else {
		FILL(uchar)
	}
}
