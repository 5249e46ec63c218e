/* Reads and writes lists of entries. */
#include "entries.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const char blanks[] = " \t";

bool jr_entries_next(const char **list, jr_entry *entry) {
    if (*list == NULL) return false;
    const char *at = *list + strspn(*list, blanks);
    const size_t whole = strcspn(at, ";");
    size_t length = whole;
    while (length > 0 && strchr(blanks, at[length - 1]) != NULL) length--;
    *entry = (jr_entry){at, length};
    *list = at[whole] == ';' ? at + whole + 1 : NULL;
    return true;
}

bool jr_entries_several(const char *list) {
    return list != NULL && (jr_entries_all(list) || strchr(list, ';') != NULL);
}

bool jr_entries_all(const char *list) {
    return strcmp(list, "*") == 0;
}

static jr_status take(jr_text *text, char **list) {
    *list = jr_text_take(text);
    return *list != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the names of kernels");
}

jr_status jr_entries_join(const char *const *names, size_t count, char **list) {
    jr_text text = {0};
    for (size_t i = 0; i < count; i++) {
        if (names[i] == NULL || names[i][strspn(names[i], blanks)] == '\0' || strpbrk(names[i], ";\n") != NULL ||
            jr_entries_all(names[i])) {
            jr_text_free(&text);
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "entries[%zu] is %s%s%s: give the name of one kernel", i,
                           names[i] != NULL ? "'" : "", names[i] != NULL ? names[i] : "NULL",
                           names[i] != NULL ? "'" : "");
        }
        jr_text_append(&text, "%s%s", i > 0 ? "; " : "", names[i]);
    }
    return take(&text, list);
}

static bool stands_before(const char *list, const jr_entry *entry) {
    jr_entry earlier;
    while (jr_entries_next(&list, &earlier) && earlier.at < entry->at)
        if (earlier.length == entry->length && memcmp(earlier.at, entry->at, entry->length) == 0) return true;
    return false;
}

jr_status jr_entries_normalise(const char *list, char **normal) {
    jr_text text = {0};
    jr_entry entry;
    for (const char *rest = list; jr_entries_next(&rest, &entry);) {
        const bool twice = stands_before(list, &entry);
        if (entry.length == 0 || twice) {
            jr_text_free(&text);
            return twice ? jr_fail(JR_ERROR_INVALID_ARGUMENT, "the entries '%s' name %.*s twice", list,
                                   (int)entry.length, entry.at)
                         : jr_fail(JR_ERROR_INVALID_ARGUMENT,
                                   "the entries '%s' have an empty name: separate names of kernels by one ';'", list);
        }
        jr_text_append(&text, "%s%.*s", text.length > 0 ? "; " : "", (int)entry.length, entry.at);
    }
    return take(&text, normal);
}
