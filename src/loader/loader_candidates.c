/* The list of candidates. */
#include "loader_candidates.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

static void item_free(jr_candidate *item) {
    free(item->origin);
    free(item->path);
    free(item->detail);
}

static bool reserve_one(jr_candidates *list) {
    if (list->count < list->capacity) return true;
    size_t capacity = list->capacity ? list->capacity * 2 : 16;
    jr_candidate *items = realloc(list->items, capacity * sizeof *items);
    if (!items) return false;
    list->items = items;
    list->capacity = capacity;
    return true;
}

void jr_candidates_add(jr_candidates *list, const char *origin, const char *path) {
    if (list->failed) return;
    jr_candidate item = {.origin = jr_string_copy(origin), .path = jr_string_copy(path)};
    if (!item.origin || !item.path || !reserve_one(list)) {
        item_free(&item);
        list->failed = true;
        return;
    }
    list->items[list->count++] = item;
}

void jr_candidates_explain(jr_candidates *list, size_t index, bool chosen, const char *format, ...) {
    char detail[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    jr_candidate *item = &list->items[index];
    free(item->detail);
    item->detail = jr_string_copy(detail); /* NULL when out of memory: the candidate then has no reason, no more */
    item->chosen = chosen;
}

char *jr_candidates_text(const jr_candidates *list) {
    jr_text text = {0};
    for (size_t i = 0; i < list->count; i++) {
        const jr_candidate *item = &list->items[i];
        if (item->chosen) continue;
        jr_text_append(&text, "%s%s (%s): %s", text.length ? "\n" : "", item->path, item->origin,
                       item->detail ? item->detail : "not looked at");
    }
    return jr_text_take(&text);
}

void jr_candidates_free(jr_candidates *list) {
    for (size_t i = 0; i < list->count; i++) item_free(&list->items[i]);
    free(list->items);
    *list = (jr_candidates){0};
}
