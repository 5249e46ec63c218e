/* The kernels in a source, as far as its text shows them: the names that a caller may give as an entry. */
#ifndef JR_PROGRAM_KERNEL_NAMES_H
#define JR_PROGRAM_KERNEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { JR_KERNEL_NAME_BYTES = 128, JR_KERNEL_NAMES_MAX = 64 };

typedef struct jr_declared_kernel {
    char text[JR_KERNEL_NAME_BYTES]; /* with its namespaces: "ours::scale" */
    bool is_template;
} jr_declared_kernel;

/* Kernels by the order of their first declarations, each once. Those of all branches; none that a macro or a header
 * declares. */
typedef struct jr_kernel_names {
    jr_declared_kernel items[JR_KERNEL_NAMES_MAX];
    size_t count; /* of items; further kernels are not listed */
} jr_kernel_names;

/* Lists a source's kernels. standard: of C++, as 17. */
void jr_kernel_names_find(const char *source, int standard, jr_kernel_names *names);

/* Appends "a, b, c<...>", at most 16 of them. */
void jr_kernel_names_append(const jr_kernel_names *names, jr_text *text);

/* The kernel that an entry may mean: of the same name but for namespaces and template arguments, or with few slips;
 * NULL: none is near. */
const jr_declared_kernel *jr_kernel_names_nearest(const jr_kernel_names *names, const char *entry);

#endif
