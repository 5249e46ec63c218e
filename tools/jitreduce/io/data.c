/* Memory of elements: made whole, or grown one element at a time. */
#include "data.h"

#include <stdlib.h>
#include <unistd.h>

/* More than the machine has would be granted all the same, and the program killed while it fills it. */
static bool fits_the_machine(uint64_t bytes) {
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages <= 0 || page_bytes <= 0 || bytes / (uint64_t)page_bytes < (uint64_t)pages;
}

cli_exit cli_data_create(cli_data *data, jr_type type, size_t element_bytes, uint64_t count, const char *name,
                         cli_error *error) {
    uint64_t bytes;
    void *owned = NULL;
    if (!__builtin_mul_overflow(count, (uint64_t)element_bytes, &bytes) && bytes <= PTRDIFF_MAX &&
        fits_the_machine(bytes))
        owned = malloc(bytes ? (size_t)bytes : 1);
    if (owned == NULL)
        return cli_fail(error, CLI_FAILURE, "%s: out of memory for %llu elements of %s", name,
                        (unsigned long long)count, cli_type_name(type));
    *data = (cli_data){.type = type, .count = count, .elements = owned, .owned = owned};
    return CLI_OK;
}

cli_exit cli_data_check_bools(const cli_data *data, size_t offset, const char *name, cli_error *error) {
    const unsigned char *elements = data->elements;
    if (data->type != JR_BOOL) return CLI_OK;
    for (uint64_t i = 0; i < data->count; i++)
        if (elements[i] > 1)
            return cli_fail(error, CLI_FAILURE, "%s: byte %llu: a bool is 0 or 1, not %d; read it as u8", name,
                            (unsigned long long)(offset + i), elements[i]);
    return CLI_OK;
}

void cli_data_free(cli_data *data) {
    free(data->owned);
    *data = (cli_data){0};
}

bool cli_vector_grow(cli_vector *vector) {
    return cli_vector_grow_by(vector, vector->size);
}

bool cli_vector_grow_by(cli_vector *vector, size_t bytes) {
    if (vector->capacity - vector->used >= bytes) return true;
    size_t capacity = vector->capacity ? 2 * vector->capacity : (size_t)1 << 16;
    while (capacity - vector->used < bytes) capacity *= 2;
    char *larger = realloc(vector->bytes, capacity);
    if (larger == NULL) return false;
    vector->bytes = larger;
    vector->capacity = capacity;
    return true;
}

void cli_vector_finish(cli_vector *vector, cli_data *data) {
    uint64_t count = vector->used / vector->size;
    *data = (cli_data){.type = vector->type, .count = count, .elements = vector->bytes, .owned = vector->bytes};
    vector->bytes = NULL;
}
