/* What the tests of stored tunings share: machines, entries, texts whose digest is updated after a change. */
#ifndef TESTS_SUPPORT_WISDOM_CASE_H
#define TESTS_SUPPORT_WISDOM_CASE_H

#include "wisdom/wisdom.h"

/* A machine with a device of that name: capability 9.0, 132 multiprocessors, driver 13.0, NVRTC 13.0.88. */
jr_machine wisdom_machine(const char *device);

/* An entry of two_pass, unroll 4, block 256, 2 blocks a multiprocessor, which takes 1.5 us, and the estimate 2.25 us.
 */
jr_wisdom_entry wisdom_entry(const char *work, uint64_t count);

/* Adds it; asserts that this works. */
void wisdom_put(jr_wisdom *wisdom, const char *device, const char *work, uint64_t count);

/* All of it as text; malloc'd. */
char *wisdom_text(const jr_wisdom *wisdom);

/* Replaces the first `from` of a text by `to` and updates the digest; malloc'd. Asserts that the text has `from`. */
char *wisdom_changed(const char *text, const char *from, const char *to);

/* How many entries there are. */
size_t wisdom_count(const jr_wisdom *wisdom);

#endif
