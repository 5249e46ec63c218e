/* Keeps the pace of a search. */
#include "pace.h"

#include "base/clock.h"

/* The least gain that is worth a stored tuning, and the share of the time limit that is left for the last measurement.
 */
static const double WORTH = 1.01, LAST_SHARE = 0.2;

jr_pace jr_pace_begin(double limit_ms) {
    return (jr_pace){.limit_ms = limit_ms, .begin_ms = jr_clock_ms()};
}

double jr_pace_left_ms(const jr_pace *pace, bool last) {
    if (pace->limit_ms <= 0) return 0;
    const double left = pace->limit_ms * (last ? 1 : 1 - LAST_SHARE) - (jr_clock_ms() - pace->begin_ms);
    return left > 1 ? left : 1;
}

bool jr_pace_is_over(jr_pace *pace) {
    const double limit_ms = pace->limit_ms * (1 - LAST_SHARE);
    pace->late = pace->late || (limit_ms > 0 && jr_clock_ms() - pace->begin_ms >= limit_ms);
    return pace->late || pace->stopped;
}

bool jr_pace_wins(double gain, const jr_quartiles *own, const jr_quartiles *first) {
    return gain >= WORTH && own->upper < first->lower;
}
