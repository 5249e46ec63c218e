/* Reads and writes callers' structs by their size. */
#include "size.h"

#include <string.h>

#include "base/error.h"

#define JR_SIZED(name, last)                                                                                           \
    const jr_sized name##_sized = {#name, offsetof(name, last) + sizeof((name){0}.last), sizeof(name)};
JR_SIZED_STRUCTS(JR_SIZED) /* NOLINT(bugprone-sizeof-expression): the last member may be a pointer */
#undef JR_SIZED

/* Where an int lies that has no meaning yet, and must be 0. */
static const struct {
    const jr_sized *kind;
    size_t at;
} reserved[] = {{&jr_spec_sized, offsetof(jr_spec, unused)},
                {&jr_segment_layout_sized, offsetof(jr_segment_layout, unused)},
                {&jr_work_sized, offsetof(jr_work, unused)},
                {&jr_pack_options_sized, offsetof(jr_pack_options, unused)}};

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
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "%s.size is %zu: set it to sizeof(%s), which is %zu here, or make the struct with JR_INIT(%s)",
                   kind->name, size, kind->name, kind->bytes, kind->name);
}

static jr_status check_reserved(const jr_sized *kind, const void *given) {
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        int value;
        if (reserved[i].kind != kind) continue;
        memcpy(&value, (const char *)given + reserved[i].at, sizeof value);
        if (value != 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "%s.unused is %d, and must be 0: make the struct with JR_INIT(%s), which clears what is not "
                           "set",
                           kind->name, value, kind->name);
    }
    return JR_OK;
}

jr_status jr_size_read(const jr_sized *kind, const void *given, void *own) {
    const unsigned char *bytes = given;
    const size_t size = size_in(given);
    JR_TRY(jr_size_check(kind, given));
    JR_TRY(check_reserved(kind, given));
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
