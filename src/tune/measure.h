/* Measures contestants in turns: interleaved samples of device or host time; and median and quartiles of the times. */
#ifndef JR_TUNE_MEASURE_H
#define JR_TUNE_MEASURE_H

#include "device/device.h"
#include "jitreduce/measure.h"

/* As jr_measure, with arguments that were checked and options that are complete but for batch. */
jr_status jr_measure_run(const jr_device *device, const jr_measure_options *options, const jr_measured *items,
                         int count, double *microseconds, int *rounds);

/* Half of the numbers lie between the quartiles. */
typedef struct jr_quartiles {
    double lower, median, upper;
} jr_quartiles;

/* Sorts numbers, of which there are 1 or more, and finds their quartiles. */
jr_quartiles jr_quartiles_of(double *numbers, int count);

#endif
