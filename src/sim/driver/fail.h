/* Fault injection: counts driver calls and says which of them must fail. What sets the rule, and its form, stands in
 * jrsim.h. */
#ifndef JRS_DRIVER_FAIL_H
#define JRS_DRIVER_FAIL_H

#include <stdbool.h>

/* Counts a call and returns the error it must fail with, 0 for none. name: as exported. Any thread. */
int jrs_fail_call(const char *name);

/* False when the setting JRSIM_FAIL was no rule: then why, which has JRS_WHY_BYTES, holds its name, its value and what
 * it may be. */
bool jrs_fail_configure(char *why);

#endif
