/* What the files of the program of 0.2 share. */
#ifndef TESTS_ABI_FORMS_H
#define TESTS_ABI_FORMS_H

#include <string.h>

#include "jitreduce.h"

void expect(int holds, const char *what);
void use_forms(jr_context *context);

#endif
