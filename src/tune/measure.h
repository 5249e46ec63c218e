/* Measures contestants in turns: interleaved samples of device or host time; and what measured times say: median,
 * quartiles, and a line through times over sizes. */
#ifndef JR_TUNE_MEASURE_H
#define JR_TUNE_MEASURE_H

#include "device/device.h"
#include "jitreduce/measure.h"

/* As jr_measure, with arguments that were checked and options that are complete but for batch. */
jr_status jr_measure_run(const jr_device *device, const jr_measure_options *options, const jr_measured *items,
                         int count, double *microseconds, int *rounds);

/* As the public functions of the same names, with arguments that were checked. */
jr_status jr_statistics_spread(const double *numbers, int count, jr_spread *spread);
jr_status jr_statistics_line(const double *x, const double *y, int count, jr_line *line);

#endif
