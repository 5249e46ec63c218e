/* The monotonic clock, in milliseconds. */
#ifndef JR_BASE_CLOCK_H
#define JR_BASE_CLOCK_H

double jr_clock_ms(void);

#endif
