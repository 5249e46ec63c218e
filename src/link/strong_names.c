/* Collects the names that parts define, sorts them and compares neighbours. */
#include "strong_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cubin_symbols.h"
#include "ptx_module_text.h"

typedef struct strong {
    jr_ptx_span name;
    const jr_link_part *part;
} strong;

typedef struct collection {
    strong *items;
    size_t count;
    const jr_link_part *part; /* whose names are being collected */
    bool failed;
} collection;

static bool add(collection *to, jr_ptx_span name) {
    enum { STEP = 64 };
    if (to->count % STEP == 0) {
        strong *more = realloc(to->items, (to->count + STEP) * sizeof *more);
        to->failed = more == NULL;
        if (more == NULL) return false;
        to->items = more;
    }
    to->items[to->count++] = (strong){name, to->part};
    return true;
}

static bool add_symbol(void *user, const char *name, bool is_kernel, bool is_strong) {
    (void)is_kernel;
    return !is_strong || add(user, (jr_ptx_span){name, strlen(name)});
}

static jr_status collect_cubin(collection *to, int architecture) {
    const jr_link_part *part = to->part;
    int own = 0;
    bool relocatable = false;
    if (!jr_cubin_look(part->data, part->bytes, &own, &relocatable) ||
        (!jr_cubin_each(part->data, part->bytes, add_symbol, to) && !to->failed))
        return jr_fail(JR_ERROR_COMPILE, "%s is machine code that is cut short or damaged", part->name);
    if (own != architecture)
        return jr_fail(JR_ERROR_COMPILE, "%s is machine code for sm_%d, and sm_%d is linked", part->name, own,
                       architecture);
    return relocatable ? JR_OK
                       : jr_fail(JR_ERROR_COMPILE,
                                 "%s is machine code that was linked already: compile it as relocatable device code "
                                 "(nvcc -rdc=true -cubin)",
                                 part->name);
}

static jr_status collect_ptx(collection *to, int architecture) {
    jr_ptx_module_text module;
    JR_TRY(jr_ptx_module_text_read(to->part, &module));
    for (size_t i = 0; i < module.count; i++) {
        const jr_ptx_statement *found = &module.statements[i];
        if (found->is_defined && found->linkage == JR_PTX_VISIBLE && found->name.at != NULL) (void)add(to, found->name);
    }
    const int target = module.target;
    jr_ptx_module_text_free(&module);
    return target <= architecture ? JR_OK
                                  : jr_fail(JR_ERROR_COMPILE, "%s is PTX for sm_%d, and sm_%d is linked",
                                            to->part->name, target, architecture);
}

static int compare(const void *left, const void *right) {
    const strong *a = left, *b = right;
    const size_t shorter = a->name.bytes < b->name.bytes ? a->name.bytes : b->name.bytes;
    const int order = memcmp(a->name.at, b->name.at, shorter);
    if (order != 0) return order;
    if (a->name.bytes != b->name.bytes) return a->name.bytes < b->name.bytes ? -1 : 1;
    return (a->part > b->part) - (a->part < b->part);
}

static jr_status find_twice(collection *of) {
    if (of->count > 0) qsort(of->items, of->count, sizeof *of->items, compare);
    for (size_t i = 1; i < of->count; i++) {
        const strong *first = &of->items[i - 1], *second = &of->items[i];
        if (jr_ptx_same(first->name, second->name) && first->part != second->part)
            return jr_fail(JR_ERROR_COMPILE, "%s and %s both define %.*s: one definition may stay", first->part->name,
                           second->part->name, (int)first->name.bytes, first->name.at);
    }
    return JR_OK;
}

jr_status jr_link_check(const jr_link_part *parts, size_t count, int architecture) {
    collection names = {0};
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < count; i++) {
        names.part = &parts[i];
        if (parts[i].kind == JR_LINK_PTX) status = collect_ptx(&names, architecture);
        if (parts[i].kind == JR_LINK_CUBIN) status = collect_cubin(&names, architecture);
        if (status == JR_OK && names.failed) status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to link");
    }
    if (status == JR_OK) status = find_twice(&names);
    free(names.items);
    return status;
}
