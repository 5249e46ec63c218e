/* Reads and writes callers' structs by their size. */
#include "size.h"

#include <string.h>

#include "base/error.h"

#define JR_SIZED(name, last)                                                                                           \
    const jr_sized name##_sized = {#name, offsetof(name, last) + sizeof((name){0}.last), sizeof(name)};
JR_SIZED_STRUCTS(JR_SIZED) /* NOLINT(bugprone-sizeof-expression): the last member may be a pointer */
#undef JR_SIZED

/* More than any version's: what lies where a size should be. */
enum { BYTES_MOST = 1 << 16 };

static size_t size_in(const void *given) {
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

jr_status jr_size_check(const jr_sized *kind, const void *given) {
    const size_t size = size_in(given);
    if (size >= kind->first_bytes && size <= BYTES_MOST) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s.size is %zu: set it to sizeof(%s), which was never below %zu",
                   kind->name, size, kind->name, kind->first_bytes);
}

jr_status jr_size_read(const jr_sized *kind, const void *given, void *own) {
    const unsigned char *bytes = given;
    const size_t size = size_in(given);
    JR_TRY(jr_size_check(kind, given));
    for (size_t i = kind->bytes; i < size; i++)
        if (bytes[i] != 0)
            return jr_fail(
                JR_ERROR_INVALID_ARGUMENT,
                "the %s of %zu bytes is made for a newer version, and byte %zu of it sets what this one (%s, "
                "%zu bytes) does not know: update the library",
                kind->name, size, i, jr_version(), kind->bytes);
    memset(own, 0, kind->bytes);
    memcpy(own, given, least(size, kind->bytes));
    return JR_OK;
}

void jr_size_write(const jr_sized *kind, const void *own, void *given) {
    const size_t size = size_in(given), filled = least(size, kind->bytes);
    memcpy((char *)given + sizeof size, (const char *)own + sizeof size, filled - sizeof size);
    memset((char *)given + filled, 0, size - filled);
}

jr_status jr_size_spec_read(const jr_spec *given, jr_size_spec *own) {
    const jr_status status = jr_size_read(&jr_spec_sized, given, &own->spec);
    if (status != JR_OK || own->spec.structure == NULL) return status;
    const jr_structure *structure = own->spec.structure;
    own->spec.structure = &own->structure;
    return jr_size_read(&jr_structure_sized, structure, &own->structure);
}
