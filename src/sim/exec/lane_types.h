/* The types of lanes. Compiled kernels contain this text. */
#ifndef JRS_EXEC_LANE_TYPES_H
#define JRS_EXEC_LANE_TYPES_H

#include <stdint.h>

/* Slots are reinterpreted from instruction to instruction: their element types may alias. */
typedef uint8_t lane_u8 __attribute__((may_alias));
typedef int8_t lane_s8 __attribute__((may_alias));
typedef uint16_t lane_u16 __attribute__((may_alias));
typedef uint32_t lane_u32 __attribute__((may_alias));
typedef uint64_t lane_u64 __attribute__((may_alias));
typedef int16_t lane_s16 __attribute__((may_alias));
typedef int32_t lane_s32 __attribute__((may_alias));
typedef int64_t lane_s64 __attribute__((may_alias));
typedef float lane_f32 __attribute__((may_alias));
typedef double lane_f64 __attribute__((may_alias));
__extension__ typedef unsigned __int128 lane_u128 __attribute__((may_alias));
__extension__ typedef __int128 jrs_s128;
__extension__ typedef unsigned __int128 jrs_u128;

/* The pragma assures gcc that lanes do not depend on each other; clang finds that by itself, and warns where such a
 * pragma has no effect. */
#ifdef __clang__
#define JRS_INDEPENDENT
#else
#define JRS_INDEPENDENT _Pragma("GCC ivdep")
#endif

#endif
