/* jitreduce: parallel reductions from kernel strings, specialised and compiled at run time.
 *
 * The story. A *spec* says what is wanted: operator, element type. A *tuning* says how: algorithm, unroll factor,
 * block size. Both become the compile-time constants of a *program* (a kernel source string), whose text hashes to a
 * *key*. The key finds a compiled *image* in the cache, or NVRTC makes one. The driver loads the image as a module,
 * which yields a *kernel*. A *launch* runs it on a stream, and a *value* comes back. Nothing is compiled twice.
 *
 * Three tiers, each built on the next:
 *
 *   1. One call, host memory (jitreduce/reduce.h):
 *          jr_context *context;
 *          jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .unroll = 4);
 *          jr_value value;
 *          if (jr_context_open(NULL, &context) || jr_reduce_host(context, &spec, data, count, &value))
 *              fprintf(stderr, "%s\n", jr_last_error()->message);
 *
 *   2. A plan, device memory, your stream (jitreduce/plan.h): slow work once, then asynchronous runs that allocate
 *      nothing and can be captured into a CUDA graph. Works beside the CUDA runtime, in its context and streams; a
 *      program without CUDA's headers has streams, events and graphs in jitreduce/stream.h.
 *
 *   3. Your own kernel string (jitreduce/kernel.h): any CUDA C text, any constants, compiled once, cached on disk,
 *      launched with cuLaunchKernel. Compiling alone needs no GPU; images can be stored and shipped.
 *
 * Rules that hold everywhere:
 *   - Every call that can fail returns a jr_status: 0, or a negative number; jr_last_error() tells the reason in full.
 *   - Out-parameters are written only on success. A failed call changes nothing; the next call works.
 *   - The library never prints, never exits, never aborts.
 *   - A call needs 128 KiB of stack and what the driver takes; NVRTC compiles on a thread of its own, which lives no
 *     longer than the compile, has 64 MiB of stack (only what is used takes memory) and none of the caller's signals.
 *   - What is computed and compiled does not depend on the caller's floating-point mode or locale; both are as before
 *     after the call. Callbacks run in the default mode.
 *   - pthread_cancel waits until a call has ended (deferred cancellation; asynchronous is not supported).
 *   - Counts are 64-bit numbers of elements, sizes are bytes, addresses need only the element's own alignment.
 *   - Without a GPU, options.device = "sim" runs the same kernels on the PTX simulator (libjrsim.so).
 *
 * What stays as it is (the ABI), from 0.2 on and as long as the soname is libjitreduce.so.0:
 *   - A program that was built with an older header runs with a newer library, and means what it meant: a function, a
 *     number of an enumeration, the place of a member and a limit that gives a member its length are never changed.
 *     New members stand behind the old ones, and 0 in them means what was before.
 *   - A struct to which members may be added begins with `size`: set it to its sizeof (JR_INIT does) before it is
 *     passed, also where the library fills it. It is read and written as far as that size goes. Members that an older
 *     program lacks are 0; members that an older library lacks must be 0 ("update the library") and come back as 0.
 *   - Structs that say so keep their layout. What the library lends (jr_error, jr_finding, jr_tune_progress) has the
 *     library's size: a member beyond it is not there.
 *   - A program that was built with a newer header runs with an older library if it calls what that one has: functions
 *     carry the version that brought them (JITREDUCE_0.2), and the linker names what is missing.
 * The headers compile as C11 and as C++11; jr_version_number() tells which library runs.
 *
 * The parts in reading order: */
#ifndef JITREDUCE_H
#define JITREDUCE_H

#include "jitreduce/allreduce.h"
#include "jitreduce/context.h"
#include "jitreduce/exact_state.h"
#include "jitreduce/group.h"
#include "jitreduce/kernel.h"
#include "jitreduce/measure.h"
#include "jitreduce/memory.h"
#include "jitreduce/pack.h"
#include "jitreduce/plan.h"
#include "jitreduce/reduce.h"
#include "jitreduce/replay.h"
#include "jitreduce/scan.h"
#include "jitreduce/segment.h"
#include "jitreduce/state.h"
#include "jitreduce/status.h"
#include "jitreduce/stream.h"
#include "jitreduce/tunable.h"
#include "jitreduce/tune.h"
#include "jitreduce/types.h"

#endif
