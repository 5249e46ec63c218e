/* The library's version, which all rooms name in what they write and refuse (types.h). */
#include "jitreduce/types.h"

#define JR_STRING_OF(x)        #x
#define JR_VERSION_OF(a, b, c) JR_STRING_OF(a) "." JR_STRING_OF(b) "." JR_STRING_OF(c)

const char *jr_version(void) {
    return JR_VERSION_OF(JR_VERSION_MAJOR, JR_VERSION_MINOR, JR_VERSION_PATCH);
}

int jr_version_number(void) {
    return JR_VERSION_NUMBER;
}
