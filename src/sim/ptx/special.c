/* Special registers by name. */
#include "special.h"

#include <stddef.h>
#include <string.h>

int jrs_special_find(const char *name) {
    static const char *const names[] = {
#define NAME(id, name, value) name,
        JRS_SPECIALS(NAME)
#undef NAME
    };
    static const char *const lacked[] = {"%pm", "%envreg", "%is_explicit_cluster"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return (int)i;
    for (size_t i = 0; i < sizeof lacked / sizeof *lacked; i++)
        if (strncmp(lacked[i], name, strlen(lacked[i])) == 0) return JRS_SPECIAL_LACKED;
    return JRS_SPECIAL_NONE;
}
