/* Advice: what stored tunings say for the plans of a context.
 *
 * The file is read once, when a plan is first made; after that without a file a plan costs a lock and a look. No
 * failure here is one of the plan: it leaves the choice to the estimate, with the reason in the plan's statistics. */
#ifndef JR_WISDOM_ADVICE_H
#define JR_WISDOM_ADVICE_H

#include "base/place.h"
#include "jitreduce/tune.h"
#include "plan/job.h"
#include "wisdom.h"

/* Lets a context have stored tunings. wish: the path of their file; NULL: the usual one; "": none. Once, before any
 * other function here. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_advice_open(jr_context *context, const char *wish);

/* Who advises the jobs of a context: by the nearest tuning for the job's capacity that was measured on this machine,
 * else on another device of the same compute capability. */
jr_adviser jr_advice_adviser(jr_context *context);

/* Where advice comes from. */
typedef struct jr_advice_state {
    jr_place place;
    bool found;                    /* the file is there */
    char refused[JR_REASON_BYTES]; /* why none of it is used; "": some is, or there is no file */
    uint64_t here;                 /* entries of exactly this machine */
    uint64_t elsewhere;            /* entries of other devices that may be used, too */
    uint64_t other;                /* entries that are of no use here */
} jr_advice_state;

/* Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_advice_inspect(jr_context *context, jr_advice_state *state);

/* What a place has for a machine (NULL: not known, then all is `other`). */
void jr_advice_inspect_at(const jr_place *place, const jr_machine *machine, jr_advice_state *state);

/* Shows all entries that may be used here and whose work begins so; machine: NULL where it is this one. The callback
 * calls nothing of this file. Errors: JR_ERROR_OUT_OF_MEMORY. */
typedef void jr_advice_shown(void *user, const jr_wisdom_entry *entry, const char *machine);
jr_status jr_advice_show(jr_context *context, const char *begin, jr_advice_shown *show, void *user);

/* Stores a tuning in the file, and keeps it for the context's plans. Errors: those of jr_wisdom_write; JR_ERROR_WISDOM
 * when there is no place for a file. */
jr_status jr_advice_add(jr_context *context, const jr_wisdom_entry *entry);

#endif
