/* libjrsim.so's exports: the driver functions of cuda_abi.h with their real signatures, and four of the simulator's
 * own.
 *
 * Including this before a definition makes the compiler hold it against the list. */
#ifndef JRS_DRIVER_JRSIM_H
#define JRS_DRIVER_JRSIM_H

#include "loader/cuda_abi.h"

#define JRS_API __attribute__((visibility("default")))

#define JRS_DECLARE(need, name, parameters) JRS_API jr_cu_result name parameters;
JR_DRIVER_FUNCTIONS(JRS_DECLARE)
#undef JRS_DECLARE

/* The simulator's version, "0.3.0"; also the mark by which a loader knows it from a real driver. Static text. */
JRS_API const char *jrsim_version(void);

/* Makes a driver call fail, without any other effect. rule: "name", "name:nth" or "name:nth:error"; NULL or "" ends it.
 * name: a driver function with or without its _v2, or "*" for any; nth: the nth such call from now on fails, once (0 or
 * absent: every one); error: the number returned (absent: 999). The rule stands for all threads. The setting JRSIM_FAIL
 * gives the first rule; a wrong one makes cuInit return 1, and cuGetErrorString says why. Returns 0; or 1 when the rule
 * is invalid, and the old rule stays in force. */
JRS_API int jrsim_fail(const char *rule);

/* Number of driver calls so far, of all threads, failed ones included. A test counts the calls of a scenario by the
 * difference of two, then runs it again with "*:1", "*:2", ... */
JRS_API uint64_t jrsim_calls(void);

/* Number of live objects of a kind: "memory" (cuMemAlloc), "host" (allocated or registered), "modules", "streams",
 * "events", "graphs" (with executable ones), "contexts" (a retained primary one included); -1 for another word. */
JRS_API int jrsim_live(const char *kind);

#endif
