// dot and dot_acc_sat of four 8-bit integers, as vectors and packed (cl_khr_integer_dot_product).
#include "builtins.h"

#define FUNCTIONS(R, V, A, B, packed) \
    LOCAL R product(A a, B b) \
    { \
        V p = __builtin_convertvector(a, V) * __builtin_convertvector(b, V); \
        return p.x + p.y + p.z + p.w; \
    } \
    R OVERLOAD dot(A a, B b) { return product(a, b); } \
    R OVERLOAD dot_acc_sat(A a, B b, R c) { return __builtin_elementwise_add_sat(product(a, b), c); } \
    R OVERLOAD dot_4x8packed_##packed(uint a, uint b) { return product(AS(A, a), AS(B, b)); } \
    R OVERLOAD dot_acc_sat_4x8packed_##packed(uint a, uint b, R c) { return __builtin_elementwise_add_sat(product(AS(A, a), AS(B, b)), c); }

FUNCTIONS(uint, uint4, uchar4, uchar4, uu_uint)
FUNCTIONS(int, int4, char4, char4, ss_int)
FUNCTIONS(int, int4, uchar4, char4, us_int)
FUNCTIONS(int, int4, char4, uchar4, su_int)

// The names that the SPIR-V translator gives them: no type has a sign, and packed vectors come with their format.
#define SPIRV(name, R, A, B) \
    int OVERLOAD __spirv_##name##KHR_R##R(char4 a, char4 b) { return dot(AS(A, a), AS(B, b)); } \
    int OVERLOAD __spirv_##name##KHR_R##R(int a, int b, int format) { return dot(AS(A, a), AS(B, b)); } \
    int OVERLOAD __spirv_##name##AccSatKHR_R##R(char4 a, char4 b, int c) { return dot_acc_sat(AS(A, a), AS(B, b), (R)c); } \
    int OVERLOAD __spirv_##name##AccSatKHR_R##R(int a, int b, int c, int format) { return dot_acc_sat(AS(A, a), AS(B, b), (R)c); }

SPIRV(UDot, uint, uchar4, uchar4)
SPIRV(SDot, int, char4, char4)
SPIRV(SUDot, int, char4, uchar4)
