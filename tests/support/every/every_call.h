/* Every public function that can fail: a call of each with arguments that are right, or one that is wrong. */
#ifndef TESTS_SUPPORT_EVERY_CALL_H
#define TESTS_SUPPORT_EVERY_CALL_H

#include <stdbool.h>

#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

enum { EVERY_CALL_COUNT = 100 }; /* elements */

/* All that calls may write. */
typedef struct every_outs {
    void *pointer;
    jr_type types[JR_OPS_MAX];
    jr_op op;
    jr_algorithm algorithm;
    jr_value value;
    int64_t numbers[EVERY_CALL_COUNT];
    double samples[64];
    int integer, other_integer;
    size_t bytes;
    uint64_t count;
    char text[64];
    jr_device_info device;
    jr_stats stats;
    jr_counters counters;
    jr_launch launch;
    jr_kernel_info kernel;
    jr_run_cost cost;
    jr_segment_layout segments;
    jr_result_layout layout;
    unsigned flags;
    jr_wisdom_info wisdom;
    jr_tuned tuned;
    jr_tunable_found found;
    jr_tunable_choice choice;
    jr_state_info state;
    jr_exact_state_info exact;
    jr_pack_info pack;
    jr_replay_info replay;
    jr_replay_argument argument;
    jr_replay_buffer buffer;
    jr_spread spread;
    jr_line line;
} every_outs;

/* What calls work with. */
typedef struct every_world {
    const opened *device;
    jr_context *context;
    jr_plan *plan, *rows, *scaled;     /* of all; of segments of EVERY_CALL_ROW; of all times a parameter */
    jr_plan *states, *merge;           /* to states, and of them */
    jr_plan *exact_states;             /* to states of exact sums */
    jr_exact_state *exact, *exact_one; /* of nothing at first; of one element */
    jr_group *group;                   /* of two devices, which are the same */
    jr_group_plan *group_plan, *group_scaled, *group_rows, *group_scan;
    jr_allreduce *allreduce;
    jr_kernel *kernel; /* of every_call_program */
    jr_image *image;   /* of the same program */
    jr_pack *pack;     /* with a kernel in it */
    jr_watch *watch;   /* of a file with the program's text */
    jr_stream stream;
    jr_event event; /* it has happened */
    jr_graph graph; /* of nothing */
    void *d_in, *d_out, *workspace;
    int made;   /* programs so far: each call's is another, so that none is found in memory */
    bool wrong; /* the call is to have a wrong argument */
    char folder[SCRATCH_BYTES];
} every_world;

enum {
    EVERY_DRIVES = 1,     /* it calls the driver */
    EVERY_AGAIN = 2,      /* another call of the function before it */
    EVERY_COPIES_BACK = 4 /* into the caller's numbers themselves: what fails after that has written them */
};

typedef struct every_call {
    const char *name;
    jr_status (*make)(every_world *w, every_outs *o);
    unsigned flags;
    struct every_call *next;
} every_call;

/* Lists of calls, a file each; the calls of all of them by number, NULL after the last. */
extern every_call *every_kernel_call, *every_image_call, *every_plan_call, *every_group_call, *every_plain_call,
    *every_stream_call, *every_pack_call, *every_work_call;
const every_call *every_call_at(size_t index);
void every_call_add(every_call **list, every_call *call);

/* The beginning of such a file. */
#define CALLS(list)                                                                                                    \
    every_call *list;                                                                                                  \
    static every_call **const calls = &list;

/* A call of a function, which the list knows before main begins. */
#define CALL(function, flags) CALL_OF(call_##function, #function, flags)
#define CALL_OF(make, name, flags)                                                                                     \
    static jr_status make(every_world *w, every_outs *o);                                                              \
    __attribute__((constructor)) static void make##_is_known(void) {                                                   \
        static every_call known = {name, make, flags, NULL};                                                           \
        every_call_add(calls, &known);                                                                                 \
    }                                                                                                                  \
    static jr_status make(__attribute__((unused)) every_world *w, __attribute__((unused)) every_outs *o)

/* Ends a call that makes `made`, and `made` itself; a failed call's pointer is kept. */
#define RETURN_MADE(made, call, end)                                                                                   \
    do {                                                                                                               \
        const jr_status status = (call);                                                                               \
        if (status == JR_OK)                                                                                           \
            end;                                                                                                       \
        else                                                                                                           \
            o->pointer = (made);                                                                                       \
        return status;                                                                                                 \
    } while (0)

/* Makes what calls work with, the device and the folder excepted; ends it. */
void every_world_make(every_world *w);
void every_world_end(every_world *w);

enum { EVERY_CALL_ROW = 5, EVERY_CALL_SCALE = 3 };
extern int32_t every_call_data[EVERY_CALL_COUNT];
extern const jr_spec every_call_spec;       /* what the world's plan is of */
extern const jr_spec every_call_exact_spec; /* and what its kept states are */
extern const jr_segment_layout every_call_rows;
const jr_spec *every_call_spec_of(const every_world *w); /* with a wrong member where the call is to be wrong */
jr_program every_call_program(every_world *w);           /* with an error where the call is to be wrong */

#endif
