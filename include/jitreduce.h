/* jitreduce: parallel reductions from kernel strings, specialised and compiled at run time.
 *
 * How it works. A *spec* says what is computed: operator, element type. A *tuning* says how: algorithm, unroll factor,
 * block size. Both become compile-time constants of a *program* (a kernel source string), whose text hashes to a *key*.
 * The key finds a compiled *image* in the cache; otherwise NVRTC compiles it. The driver loads the image as a
 * module, which contains a *kernel*. A *launch* runs the kernel on a stream, and the result is a *value*. A context
 * compiles nothing twice, and all of a machine share the disk cache: of those that ask for the same new kernel at the
 * same time, one compiles it and the others wait for its entry (jr_options.wait_ms).
 *
 * Three tiers, each built on the one before:
 *
 *   1. One call, host memory (jitreduce/reduce.h):
 *          jr_context *context;
 *          jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .unroll = 4);
 *          jr_value value;
 *          if (jr_context_open(NULL, &context) || jr_reduce_host(context, &spec, data, count, &value))
 *              fprintf(stderr, "%s\n", jr_last_error()->message);
 *
 *   2. A plan, device memory, your stream (jitreduce/work.h): it does the slow work once; its runs are asynchronous,
 *      allocate nothing and can be captured into a CUDA graph. It works with the CUDA runtime, in its context and
 *      streams; a program without CUDA's headers uses the streams, events and graphs of jitreduce/stream.h.
 *
 *   3. Your own kernel string (jitreduce/kernel.h): any CUDA C text, any constants, compiled once, cached on disk,
 *      launched with cuLaunchKernel. Compiling needs no GPU; images can be stored and shipped.
 *
 * A jr_work (jitreduce/work.h) says what is computed, for all kinds of reductions and scans; the same work runs on host
 * memory, as a plan, in a group, as an all-reduce, and is compiled ahead or tuned.
 *
 * How to read a function's comment:
 * - First comes what the call does. "Enqueues ... on `stream` and returns" means that the work is asynchronous: memory
 *   that it uses must stay valid until the stream has completed it.
 * - One line per argument (not for the object that a function works on, such as `context` or `plan`, which must not be
 *   NULL unless its line says that it may). An argument must not be NULL unless its line says that it may, or what NULL
 *   means. A number that goes with an array of pointers counts elements, not bytes, unless it is called `bytes`.
 * - Returns: what a function returns; it is not repeated for a jr_status, which is JR_OK (0) or one of Errors.
 * - Owns: who frees what. "nothing": the call hands out nothing that must be freed and keeps no argument after it
 *   returns. "the caller destroys it with F": you must call F. "the context" (image, plan, ...): what the call hands
 *   out belongs to that object; do not free it, and do not use it after that object is destroyed. "static": valid until
 *   the program ends. "takes the plan": the object is destroyed; do not use the pointer again.
 * - Threads: "any": any thread may call it, several threads at the same time and with the same object. "one at a time":
 *   any thread, but never two threads with the same object at the same time.
 * - Errors: the statuses that the call can return; "those of F" stands for the list at F, which is complete there.
 * - Since: the version that brought the function.
 *
 * Rules that hold everywhere:
 * - Every call that can fail returns a jr_status: 0 (JR_OK), or a negative number; jr_last_error() returns the reason
 *   in full.
 * - Out-arguments are written only on success, and a failed call changes nothing, so the next call works. Exceptions
 *   say so: the scans of host memory (jitreduce/scan.h) may have written `out`, jr_kernel_arguments its room.
 * - The library never prints, exits or aborts.
 * - A call needs 128 KiB of stack and what the driver needs. NVRTC compiles in a thread of its own, which ends with the
 *   compile, has 64 MiB of stack (only what is used takes memory) and gets none of the caller's signals.
 * - Results and compiled code do not depend on the caller's floating-point mode or locale; a call leaves both
 *   unchanged. Callbacks run in the default mode.
 * - pthread_cancel takes effect when a call has ended (deferred cancellation; asynchronous is not supported).
 * - Counts are 64-bit numbers of elements, sizes are bytes, and addresses need only the element's own alignment unless
 *   an argument's line says otherwise.
 * - Without a GPU the same kernels run on the PTX simulator (libjrsim.so), also with options.device = "sim".
 *
 * What stays stable (the ABI), from 0.2 and as long as the soname is libjitreduce.so.0:
 * - A program that was built with an older header runs with a newer library and behaves as before: functions, numbers
 *   of enumerations, offsets of members and limits that give a member its length never change. New members are added
 *   after the old ones, and 0 in them means what was done before.
 * - A struct to which members may be added begins with `size`: set it to its sizeof (JR_INIT does) before you pass the
 *   struct, also if the library fills it. The library reads and writes the struct up to that size only. Members that an
 *   older program lacks count as 0; members that an older library lacks must be 0 (otherwise the call fails: "update
 *   the library") and come back as 0.
 * - Structs that say so keep their layout. Structs that the library hands out (jr_error, jr_finding, jr_tune_progress,
 *   jr_tunable_progress) have the size of the library that runs: members beyond it must not be read.
 * - A program that was built with a newer header runs with an older library if it calls only functions that the library
 *   has: functions carry the version that brought them (JITREDUCE_0.2), and the linker reports what is missing.
 *
 * The headers compile as C11 and as C++11; C++17 has a header of its own, <jitreduce.hpp>. jr_version_number() returns
 * the version of the library that runs. The manual is in share/doc/jitreduce/manual, and each header names its page. */
#ifndef JITREDUCE_H
#define JITREDUCE_H

/* The parts in reading order. Groups over MPI: include <jitreduce/mpi.h>. */
/* clang-format off */
#include "jitreduce/init.h"        /* structs that begin with their size */
#include "jitreduce/status.h"      /* statuses and the last error */
#include "jitreduce/types.h"       /* element types, operators, values */
#include "jitreduce/context.h"     /* a device, its compiler, its caches */
#include "jitreduce/reduce.h"      /* specs, and one call from host memory to a value */
#include "jitreduce/work.h"        /* all kinds of reductions and scans, and where they are carried out */
#include "jitreduce/memory.h"      /* device memory without CUDA's headers */
#include "jitreduce/plan.h"        /* runs on device memory, in your stream */
#include "jitreduce/stream.h"      /* streams, events, graphs without CUDA's headers */
#include "jitreduce/segment.h"     /* many reductions in one run; along axes; by key */
#include "jitreduce/scan.h"        /* running results */
#include "jitreduce/state.h"       /* reductions in parts, merged later, or kept in files */
#include "jitreduce/kernel.h"      /* kernels of your own */
#include "jitreduce/link.h"        /* device code in several texts, PTX, machine code, libraries */
#include "jitreduce/pack.h"        /* kernels compiled ahead, shipped in a file */
#include "jitreduce/replay.h"      /* recorded launches, run again */
#include "jitreduce/tune.h"        /* the fastest tuning, measured and stored */
#include "jitreduce/tunable.h"     /* tuning of kernels of your own */
#include "jitreduce/measure.h"     /* times of things in comparison */
#include "jitreduce/group.h"       /* several devices and processes */
#include "jitreduce/allreduce.h"   /* results in the memory of each device */
#include "jitreduce/compat.h"      /* the names of version 0.2 */
/* clang-format on */

#endif
