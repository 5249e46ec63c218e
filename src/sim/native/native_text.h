/* The text that every compiled kernel begins with. */
#ifndef JRS_NATIVE_TEXT_H
#define JRS_NATIVE_TEXT_H

#include "base/text.h"

void jrs_native_text_begin(jr_text *text);

#endif
