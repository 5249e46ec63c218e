/* Structs of callers: read and written by the size that their own header gave them, whatever version that was.
 *
 * Inside the library a struct is as this version knows it, and its size is not looked at. */
#ifndef JR_API_SIZE_H
#define JR_API_SIZE_H

#include "jitreduce.h"

/* Every struct that begins with its size, and the last member of its first version. New members follow that one, and a
 * struct has no padding there (tests/abi checks it). */
#define JR_SIZED_STRUCTS(XX)                                                                                           \
    XX(jr_options, packs)                                                                                              \
    XX(jr_device_info, kernel_timeout)                                                                                 \
    XX(jr_stats, parts)                                                                                                \
    XX(jr_counters, pack_failures)                                                                                     \
    XX(jr_structure, alignment)                                                                                        \
    XX(jr_spec, unused)                                                                                                \
    XX(jr_result_layout, alignment)                                                                                    \
    XX(jr_run_cost, moved_bytes)                                                                                       \
    XX(jr_segment_layout, unused)                                                                                      \
    XX(jr_work, axis)                                                                                                  \
    XX(jr_work_data, states)                                                                                           \
    XX(jr_segments, run_count)                                                                                         \
    XX(jr_axis, axis_count)                                                                                            \
    XX(jr_part, first)                                                                                                 \
    XX(jr_states, elements)                                                                                            \
    XX(jr_state_info, skips_nan)                                                                                       \
    XX(jr_exact_state_info, kept)                                                                                      \
    XX(jr_group_options, launch_look_us)                                                                               \
    XX(jr_group_parts, streams)                                                                                        \
    XX(jr_allreduce_options, nccl)                                                                                     \
    XX(jr_program, debug)                                                                                              \
    XX(jr_pack_options, unused)                                                                                        \
    XX(jr_pack_info, bytes)                                                                                            \
    XX(jr_replay_info, bytes)                                                                                          \
    XX(jr_launch, stream)                                                                                              \
    XX(jr_kernel_info, parameter_bytes)                                                                                \
    XX(jr_measure_options, before)                                                                                     \
    XX(jr_wisdom_info, other_count)                                                                                    \
    XX(jr_tune_options, user)                                                                                          \
    XX(jr_tuned, failed)                                                                                               \
    XX(jr_tunable, preferred)                                                                                          \
    XX(jr_tunable_problem, output_count)                                                                               \
    XX(jr_tunable_options, user)                                                                                       \
    XX(jr_tunable_found, possible)                                                                                     \
    XX(jr_tunable_choice, why)

/* A row of it: jr_spec_sized, ... */
typedef struct jr_sized {
    const char *name;
    size_t first_bytes, bytes; /* of the first version, of this one */
} jr_sized;

#define JR_SIZED_DECLARATION(name, last) extern const jr_sized name##_sized;
JR_SIZED_STRUCTS(JR_SIZED_DECLARATION)
#undef JR_SIZED_DECLARATION

/* Reads a caller's struct: copies the caller's members to own; members that the caller's version lacks become 0.
 * Errors: JR_ERROR_INVALID_ARGUMENT: its size is wrong, or it sets members that this version does not know. */
jr_status jr_size_read(const jr_sized *kind, const void *given, void *own);

/* Checks that a caller's struct can be filled, before anything is done for it. Errors: as jr_size_read's first one. */
jr_status jr_size_check(const jr_sized *kind, const void *given);

/* Fills a caller's struct, which has been checked, as far as its size goes; that stays as it is. */
void jr_size_write(const jr_sized *kind, const void *own, void *given);

/* A spec, and the struct that it points to, as this version knows them. Not copied: it points into itself. */
typedef struct jr_size_spec {
    jr_spec spec;
    jr_structure structure;
} jr_size_spec;

/* Reads a caller's spec. Errors: as jr_size_read. */
jr_status jr_size_spec_read(const jr_spec *given, jr_size_spec *own);

#endif
