/* The pace of a search: how many rounds, until when, and what wins. */
#ifndef JR_TUNE_PACE_H
#define JR_TUNE_PACE_H

#include <stdbool.h>

#include "measure.h"

/* Rounds of one look and of the last measurement, which decides nothing if it has fewer than the least. */
enum { JR_PACE_ROUNDS = 5, JR_PACE_LAST_ROUNDS = 21, JR_PACE_LEAST_ROUNDS = 5 };

typedef struct jr_pace {
    double limit_ms, begin_ms; /* limit_ms: 0: none */
    bool stopped, late;        /* by the caller, by the limit */
} jr_pace;

jr_pace jr_pace_begin(double limit_ms);

/* Milliseconds until the limit, of which a share is kept for the last measurement; at least 1; 0: there is no limit. */
double jr_pace_left_ms(const jr_pace *pace, bool last);

/* Must the search come to its last measurement? */
bool jr_pace_is_over(jr_pace *pace);

/* Is what gained so much in the last measurement surely better than what everything is compared with: by 1 % or more,
 * with quartiles that do not overlap? */
bool jr_pace_wins(double gain, const jr_quartiles *own, const jr_quartiles *first);

#endif
