/* The error record: one thread-local place in which every failure leaves its full reason. */
#ifndef JR_BASE_ERROR_H
#define JR_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "jitreduce/status.h"

/* Records a failure with a formatted sentence and returns status, so that `return jr_fail(...)` is one line.
 * Clears driver name and log of the record. */
#ifndef __clang_analyzer__
#define jr_fail(status, ...) jr_fail_with(status, NULL, NULL, __VA_ARGS__)
#else /* it looks into no other file, and would follow paths on which a failure is returned as JR_OK */
#define jr_fail(status, ...) ((void)jr_fail_with(status, NULL, NULL, __VA_ARGS__), (status))
#endif

/* As jr_fail, with the driver's or NVRTC's own error name and a log (each may be NULL). */
jr_status jr_fail_with(jr_status status, const char *driver_name, const char *log, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Prefixes the recorded message ("plan for min f32: <message>") and returns the recorded status. */
jr_status jr_fail_prefix(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Which failure the record holds: another number after each one that is not taken back (jr_error_restore). */
unsigned jr_error_mark(void);

/* Does the record hold another failure than at the mark, of which this was not asked before? */
bool jr_error_is_news(unsigned mark);

/* A copy of the record, to be put back after clean-up calls that may fail themselves. */
typedef struct jr_error_saved jr_error_saved;
jr_error_saved *jr_error_save(void);                        /* NULL when out of memory; restore copes with NULL */
jr_error_saved *jr_error_copy(const jr_error_saved *saved); /* NULL when out of memory, and of NULL */
void jr_error_restore(jr_error_saved *saved);               /* frees it */
void jr_error_adopt(jr_error_saved *saved);                 /* of another thread, for which it is news here; frees it */
void jr_error_discard(jr_error_saved *saved);               /* frees it, and leaves the record as it is */

/* ---- guards ---- */

static inline void jr_error_kept_end(jr_error_saved *const *kept) {
    jr_error_restore(*kept);
}

/* For a scope that cleans up: on every way out of the scope, the recorded error becomes again what it is here. */
#define JR_KEEP_ERROR __attribute__((unused, cleanup(jr_error_kept_end))) jr_error_saved *const kept = jr_error_save()

/* A step of several, where nothing is held that a failure must give back: its failure is returned at once. */
#define JR_TRY(call)                                                                                                   \
    do {                                                                                                               \
        const jr_status tried = (call);                                                                                \
        if (tried != JR_OK) return tried;                                                                              \
    } while (0)

/* Fails with the name of the first of these pointers that is NULL. names: "context, spec, plan". */
jr_status jr_given(const char *names, const void *const pointers[], size_t count);

/* Pointers that a call must be given, named as its caller knows them: JR_TRY(JR_GIVEN(context, spec, plan)). */
#define JR_GIVEN(...)                                                                                                  \
    jr_given(#__VA_ARGS__, (const void *const[]){__VA_ARGS__},                                                         \
             sizeof(const void *const[]){__VA_ARGS__} / sizeof(const void *))

/* Fails unless an address is one, and aligned. what: "output address". */
jr_status jr_given_aligned(const char *what, const void *address, size_t alignment);

#endif
