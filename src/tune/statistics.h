/* What measured times say: median, quartiles, and a line through times over sizes. */
#ifndef JR_TUNE_STATISTICS_H
#define JR_TUNE_STATISTICS_H

#include "jitreduce/measure.h"

/* As the public functions of the same names, with arguments that were checked. */
jr_status jr_statistics_spread(const double *numbers, int count, jr_spread *spread);
jr_status jr_statistics_line(const double *x, const double *y, int count, jr_line *line);

#endif
