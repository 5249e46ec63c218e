/* Faults: what can go wrong in a kernel, and its report. */
#ifndef JRS_EXEC_FAULT_H
#define JRS_EXEC_FAULT_H

#include "sim_machine.h"

/* What can go wrong: identifier, CUresult number, who stops it, the words a report begins with. */
#define JRS_FAULTS(XX)                                                                                                 \
    XX(BOUNDS_GLOBAL, 700, ALWAYS, "out of bounds")                                                                    \
    XX(BOUNDS, 719, ALWAYS, "out of bounds")                                                                           \
    XX(FREED, 700, ALWAYS, "use after free")                                                                           \
    XX(HEAP_BOUNDS, 700, JUDGED, "out of bounds")                                                                      \
    XX(HEAP_FREED, 700, JUDGED, "use after free")                                                                      \
    XX(BAD_FREE, 719, JUDGED, "free of what was not allocated")                                                        \
    XX(FREE_OUTSIDE, 700, ALWAYS, "free of what was not allocated")                                                    \
    XX(FREED_TWICE, 719, ALWAYS, "freed twice")                                                                        \
    XX(PEER, 700, ALWAYS, "access to another device without permission")                                               \
    XX(READ_ONLY_GLOBAL, 700, ALWAYS, "write to read-only memory")                                                     \
    XX(READ_ONLY, 719, ALWAYS, "write to read-only memory")                                                            \
    XX(MISALIGNED, 716, ALWAYS, "misaligned")                                                                          \
    XX(UNINITIALISED, 719, JUDGED, "uninitialised shared memory")                                                      \
    XX(UNDEFINED, 719, JUDGED, "undefined value")                                                                      \
    XX(RACE, 719, JUDGED, "data race in shared memory")                                                                \
    XX(DEVICE_RACE, 719, JUDGED, "data race between devices")                                                          \
    XX(SAME_VALUE, 0, NOTED, "one value written twice to shared memory")                                               \
    XX(MBARRIER, 719, ALWAYS, "bad mbarrier")                                                                          \
    XX(COPY, 719, ALWAYS, "bad asynchronous copy")                                                                     \
    XX(PROXY, 719, JUDGED, "bad asynchronous copy")                                                                    \
    XX(BARRIER, 719, ALWAYS, "divergent barrier")                                                                      \
    XX(BAD_BARRIER, 719, ALWAYS, "bad barrier")                                                                        \
    XX(MASK, 719, ALWAYS, "missing lane in a .sync mask")                                                              \
    XX(RANK, 719, JUDGED, "bad rank")                                                                                  \
    XX(BRANCH, 719, ALWAYS, "branch out of its list")                                                                  \
    XX(BAD_CALL, 719, ALWAYS, "bad call")                                                                              \
    XX(BAD_ADDRESS, 718, ALWAYS, "bad call")                                                                           \
    XX(STACK, 719, ALWAYS, "call stack overflow")                                                                      \
    XX(TRAP, 719, ALWAYS, "trap")                                                                                      \
    XX(ASSERTION, 710, ALWAYS, "assertion failed")                                                                     \
    XX(EARLY, 719, JUDGED, "access before griddepcontrol.wait in a dependent launch")                                  \
    XX(NO_PROGRESS, 702, ALWAYS, "no progress")                                                                        \
    XX(NO_MEMORY, 2, ALWAYS, "out of memory")

typedef enum jrs_fault_kind {
#define JRS_FAULT_ENUM(id, error, level, words) JRS_FAULT_##id,
    JRS_FAULTS(JRS_FAULT_ENUM)
#undef JRS_FAULT_ENUM
} jrs_fault_kind;

/* Writes the launch's report unless there is one: "words: kernel, line, text, block, thread, details"; returns
 * JRS_FAULT. Returns JRS_STEP if the launch's judge lets the kernel continue after this kind: then the same sentence
 * goes to the launch's note, once for an instruction, unless the judge is off. */
jrs_next jrs_fault(const jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_fault_kind kind,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
void jrs_fault_launch(jrs_run *run, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "thread (x,y,z)" coordinates of a lane. */
void jrs_thread_index(const jrs_warp *warp, unsigned lane, uint32_t index[3]);

#endif
