/* The search for the best setting of a space: settings are added stage by stage, tried in groups, and measured in turns
 * with the first one, with which all are compared; the best few are measured once more, which decides. What a setting
 * is, how it runs and whether its results are right is the business of a kind: reductions and scans (tune_plans.c), or
 * the caller's tunable (tune_settings.c). */
#ifndef JR_TUNE_SEARCH_H
#define JR_TUNE_SEARCH_H

#include "jitreduce/tunable.h"
#include "kernel/context.h"

/* Settings that are measured together, and those that are measured once more. */
enum { JR_SEARCH_GROUP = 6, JR_SEARCH_BEST = 3 };

typedef struct jr_search jr_search;

/* self: the kind's own. place: 0 for the first setting, 1 to JR_SEARCH_GROUP for others. The context is current. */
typedef struct jr_search_kind {
    const char *first_name; /* "the estimate" */
    /* Adds the settings of a stage, 0 at first, by jr_search_add. *last: set with the last one. */
    jr_status (*add)(jr_search *search, int stage, bool *last);
    /* Gets a setting ready to run in a place. It may complete its values, not change those that identify it. */
    jr_status (*make)(void *self, int place, jr_tunable_setting *setting);
    void (*release)(void *self, int place); /* of places from 1 on */
    jr_status (*reset)(void *self);         /* before a run that is verified */
    jr_status (*run)(void *self, int place, uint64_t number, jr_stream stream);
    jr_status (*expect)(void *self); /* keeps what the first setting has left */
    /* Verifies what a place has left. why: "" where it is as expected. */
    jr_status (*verify)(void *self, int place, char why[JR_REASON_BYTES]);
    /* Reports a setting that will be tried, or was; not 0: the search stops with its group, which is reported whole. */
    int (*tell)(const jr_search *search, const jr_tunable_setting *setting, bool begins);
} jr_search_kind;

struct jr_search {
    /* Set before the search. */
    const jr_search_kind *kind;
    void *self;
    jr_context *context;
    size_t value_count; /* of a setting, that identify it */
    uint64_t most;      /* settings that may be tried */
    double limit_ms;    /* 0: none */
    double begin_ms;    /* on the host's clock */
    /* Set by the kind, before the last stage ends. */
    uint64_t expected; /* settings that will be added, about */
    uint64_t apart;    /* between the numbers of the first runs of two places */
    /* What is known. */
    jr_tunable_setting first; /* the kind sets values and text */
    double first_ms;          /* of a run of it, on the host's clock */
    jr_tunable_setting *items;
    uint64_t count, done; /* settings that are known; that were tried */
    bool stopped, late;   /* by the caller, by the limit */
    /* What was found. */
    jr_tunable_setting best; /* the first one, unless it is better */
    bool better, complete;
    uint64_t measured, failed;
};

/* Searches. The first setting is tried before all others. Errors: the first setting's, and those of others that are not
 * their own failure. */
jr_status jr_search_run(jr_search *search);

/* Adds a setting, unless it is known, or there are as many as may be: then NULL. */
jr_tunable_setting *jr_search_add(jr_search *search, const int64_t values[]);

/* Finds the best that were measured, the best first; returns how many there are. */
int jr_search_best(const jr_search *search, jr_tunable_setting *best[JR_SEARCH_BEST]);

/* The best one so far; NULL: none is better than the first. */
const jr_tunable_setting *jr_search_leader(const jr_search *search);

/* Must the search come to its last measurement? */
bool jr_search_is_over(jr_search *search);

#endif
