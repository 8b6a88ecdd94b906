// sub_group_all and any, cl_khr_subgroup_non_uniform_vote, ballots and masks (cl_khr_subgroup_ballot).
#include "builtins.h"
#include "sub_group.h"

#define ALL ((1u << SIZE) - 1)

uint OF_LANES aqueduct_lanes_ballot(int x)
{
    COLLECTIVE(int, uint r = 0; EACH_FROM(l, k) r |= (uint)(GIVEN(int, k) != 0) << k; EACH_FROM(l, k) GOT(uint, k) = r);
    return GOT(uint, l);
}

int OVERLOAD CONVERGENT sub_group_all(int p) { return aqueduct_lanes_ballot(p == 0) == 0; }
int OVERLOAD CONVERGENT sub_group_any(int p) { return aqueduct_lanes_ballot(p) != 0; }
int OVERLOAD CONVERGENT sub_group_non_uniform_all(int p) { return sub_group_all(p); }
int OVERLOAD CONVERGENT sub_group_non_uniform_any(int p) { return sub_group_any(p); }

int OVERLOAD CONVERGENT sub_group_elect(void)
{
    aqueduct_sub_group_meet();
    return get_sub_group_local_id() == first_of(aqueduct_sub_group_active());
}

#define EQUAL(T, LEAST, MOST) \
    int OF_LANES aqueduct_lanes_equal(T x) \
    { \
        COLLECTIVE(T, int same = 1; EACH_FROM(l, k) if (!(GIVEN(T, k) == x)) same = 0; EACH_FROM(l, k) GOT(int, k) = same); \
        return GOT(int, l); \
    } \
    int OVERLOAD CONVERGENT sub_group_non_uniform_all_equal(T x) { return aqueduct_lanes_equal(x); }
EACH_TYPE(EQUAL)

uint4 OVERLOAD CONVERGENT sub_group_ballot(int p) { return (uint4)(aqueduct_lanes_ballot(p), 0, 0, 0); }

int OVERLOAD sub_group_inverse_ballot(uint4 v) { return v.x >> get_sub_group_local_id() & 1; }
int OVERLOAD sub_group_ballot_bit_extract(uint4 v, uint index)
{
    uint word = index < 32 ? v.x : index < 64 ? v.y : index < 96 ? v.z : v.w;
    return word >> index % 32 & 1;
}
uint OVERLOAD sub_group_ballot_bit_count(uint4 v) { return __builtin_popcount(v.x & ALL); }
uint OVERLOAD sub_group_ballot_inclusive_scan(uint4 v) { return __builtin_popcount(v.x & (2u << get_sub_group_local_id()) - 1); }
uint OVERLOAD sub_group_ballot_exclusive_scan(uint4 v) { return __builtin_popcount(v.x & (1u << get_sub_group_local_id()) - 1); }
uint OVERLOAD sub_group_ballot_find_lsb(uint4 v) { return __builtin_ctz(v.x | 1u << 31); }
uint OVERLOAD sub_group_ballot_find_msb(uint4 v) { return 31 - __builtin_clz(v.x & ALL | 1); }

uint4 OVERLOAD get_sub_group_eq_mask(void) { return (uint4)(1u << get_sub_group_local_id(), 0, 0, 0); }
uint4 OVERLOAD get_sub_group_ge_mask(void) { return (uint4)(ALL & -1u << get_sub_group_local_id(), 0, 0, 0); }
uint4 OVERLOAD get_sub_group_gt_mask(void) { return (uint4)(ALL & -2u << get_sub_group_local_id(), 0, 0, 0); }
uint4 OVERLOAD get_sub_group_le_mask(void) { return (uint4)((2u << get_sub_group_local_id()) - 1, 0, 0, 0); }
uint4 OVERLOAD get_sub_group_lt_mask(void) { return (uint4)((1u << get_sub_group_local_id()) - 1, 0, 0, 0); }
