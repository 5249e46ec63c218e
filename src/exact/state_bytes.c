/* Writes and reads the bytes of kept states: a head, then exact sums, or the state as it lies in memory. All numbers
 * have their lowest byte first, on every machine. */
#include "state_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "jitreduce/types.h"
#include "spec/operator.h"

enum { MAGIC_BYTES = 8 };
static const char of_sums[] = "JREXACT\n", of_others[] = "JRSTATE\n";

/* Where members of the head begin. */
enum {
    AT_VERSION = 8,
    AT_OP_COUNT = 10,
    AT_INPUT_COUNT = 11,
    AT_SIZE = 12,
    AT_ELEMENTS = 16,
    AT_KEPT = 24,
    AT_OPS = 32,
    AT_TYPES = 40,
    AT_ADDED = 44,
    AT_SKIPS_NAN = 45,
    AT_SUM_COUNT = 46,
    AT_EXPRESSIONS = 48
};
_Static_assert(AT_EXPRESSIONS + JR_DIGEST_BYTES == JR_STATE_HEAD_BYTES, "the head ends with the digest");

static void put(uint8_t *to, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) to[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t get(const uint8_t *from, int bytes) {
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number |= (uint64_t)from[i] << 8 * i;
    return number;
}

/* ---- writing ---- */

size_t jr_state_bytes_most(const jr_reduction *reduction) {
    size_t bytes = JR_STATE_HEAD_BYTES + JR_DIGEST_BYTES;
    if (reduction->sum_count == 0) bytes += JR_STATE_VERSION_BYTES + reduction->accumulator_bytes;
    for (int i = 0; i < reduction->sum_count; i++)
        bytes += JR_STATE_SUM_BYTES + 4 * (size_t)reduction->sums[i].width.words;
    return bytes;
}

static size_t write_sum(const jr_exact_number *number, uint8_t *at) {
    at[0] = (uint8_t)number->class;
    at[1] = number->negative;
    put(at + 2, number->bytes, 2);
    put(at + 4, (uint32_t)number->exponent, 4);
    memcpy(at + JR_STATE_SUM_BYTES, number->magnitude, number->bytes);
    return JR_STATE_SUM_BYTES + number->bytes;
}

/* Each sum has the same count of kept elements. */
static size_t write_sums(const jr_reduction *reduction, const unsigned char *state, uint8_t *at, uint64_t *kept) {
    size_t bytes = 0;
    for (int i = 0; i < reduction->sum_count; i++) {
        jr_exact_number number;
        *kept = jr_exact_sum_read(&reduction->sums[i], state, &number);
        bytes += write_sum(&number, at + bytes);
    }
    return bytes;
}

static size_t write_others(const jr_reduction *reduction, const unsigned char *state, uint8_t *at) {
    memset(at, 0, JR_STATE_VERSION_BYTES);
    memcpy(at, jr_version(), strnlen(jr_version(), JR_STATE_VERSION_BYTES));
    memcpy(at + JR_STATE_VERSION_BYTES, state, reduction->accumulator_bytes);
    return JR_STATE_VERSION_BYTES + reduction->accumulator_bytes;
}

static void write_head(const jr_state_head *head, size_t size, uint8_t *bytes) {
    const jr_state_meaning *meaning = &head->meaning;
    memset(bytes, 0, JR_STATE_HEAD_BYTES);
    memcpy(bytes, meaning->sum_count > 0 ? of_sums : of_others, MAGIC_BYTES);
    put(bytes + AT_VERSION, JR_STATE_FORMAT, 2);
    bytes[AT_OP_COUNT] = meaning->op_count;
    bytes[AT_INPUT_COUNT] = meaning->input_count;
    put(bytes + AT_SIZE, size, 4);
    put(bytes + AT_ELEMENTS, head->elements, 8);
    put(bytes + AT_KEPT, head->kept, 8);
    memcpy(bytes + AT_OPS, meaning->ops, sizeof meaning->ops);
    memcpy(bytes + AT_TYPES, meaning->types, sizeof meaning->types);
    bytes[AT_ADDED] = meaning->added;
    bytes[AT_SKIPS_NAN] = meaning->skips_nan;
    bytes[AT_SUM_COUNT] = meaning->sum_count;
    memcpy(bytes + AT_EXPRESSIONS, meaning->expressions, JR_DIGEST_BYTES);
}

jr_status jr_state_bytes_write(const jr_reduction *reduction, const unsigned char *state, uint64_t elements,
                               uint8_t *bytes, size_t *size) {
    jr_state_head head = {.meaning = jr_state_meaning_of(reduction), .elements = elements};
    size_t at = JR_STATE_HEAD_BYTES;
    at += reduction->sum_count > 0 ? write_sums(reduction, state, bytes + at, &head.kept)
                                   : write_others(reduction, state, bytes + at);
    if (head.kept > elements)
        return jr_fail(JR_ERROR_STATE, "the state has sums of %llu elements, but %llu were given",
                       (unsigned long long)head.kept, (unsigned long long)elements);
    *size = at + JR_DIGEST_BYTES;
    write_head(&head, *size, bytes);
    jr_digest_of(bytes, at, bytes + at);
    return JR_OK;
}

jr_status jr_state_bytes_fit(const jr_reduction *reduction, const void *state, uint64_t elements, void *bytes,
                             size_t room, size_t *size) {
    uint8_t *written = malloc(jr_state_bytes_most(reduction));
    size_t count = 0;
    if (written == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the bytes of a state");
    jr_status status = jr_state_bytes_write(reduction, state, elements, written, &count);
    if (status == JR_OK && room > 0 && room < count)
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "the state has %zu bytes, and there is room for %zu", count, room);
    if (status == JR_OK && room > 0) memcpy(bytes, written, count);
    free(written);
    if (status == JR_OK) *size = count;
    return status;
}

/* ---- reading ---- */

static bool has_magic(const uint8_t *bytes, const char *magic) {
    return memcmp(bytes, magic, MAGIC_BYTES) == 0;
}

static jr_status check_whole(const uint8_t *bytes, size_t size) {
    uint8_t digest[JR_DIGEST_BYTES];
    if (size < MAGIC_BYTES || (!has_magic(bytes, of_sums) && !has_magic(bytes, of_others)))
        return jr_fail(JR_ERROR_STATE, "its first bytes are not those of a state");
    if (size < JR_STATE_HEAD_BYTES + JR_DIGEST_BYTES)
        return jr_fail(JR_ERROR_STATE, "the state is truncated: it has %zu bytes, a head and checksum alone have %d",
                       size, JR_STATE_HEAD_BYTES + JR_DIGEST_BYTES);
    const unsigned version = (unsigned)get(bytes + AT_VERSION, 2);
    if (version != JR_STATE_FORMAT)
        return jr_fail(JR_ERROR_STATE, "the state is of format %u, and jitreduce %s reads format %d", version,
                       jr_version(), JR_STATE_FORMAT);
    const uint64_t whole = get(bytes + AT_SIZE, 4);
    if (size != whole)
        return jr_fail(JR_ERROR_STATE, "the state %s: it has %zu bytes, and says %llu",
                       size < whole ? "is truncated" : "has bytes after its end", size, (unsigned long long)whole);
    jr_digest_of(bytes, size - JR_DIGEST_BYTES, digest);
    if (memcmp(digest, bytes + size - JR_DIGEST_BYTES, JR_DIGEST_BYTES) != 0)
        return jr_fail(JR_ERROR_STATE, "the state is damaged: its checksum is another");
    return JR_OK;
}

/* Checks that this version knows the operators and types, and that zeros follow them. */
static jr_status check_numbers(const jr_state_meaning *meaning) {
    for (int i = 0; i < JR_OPS_MAX; i++) {
        const jr_operator *row = jr_operator_find((jr_op)meaning->ops[i]);
        const bool known = row != NULL && (row->exact != NULL || meaning->sum_count == 0);
        if (i < meaning->op_count ? !known : meaning->ops[i] != 0)
            return jr_fail(JR_ERROR_STATE, "the state is of operator %u, of which jitreduce %s knows no %s",
                           meaning->ops[i], jr_version(), meaning->sum_count > 0 ? "exact sums" : "states");
    }
    for (int i = 0; i < JR_INPUTS_MAX; i++) {
        const bool known = meaning->types[i] == JR_STRUCT || jr_dtype_find((jr_type)meaning->types[i]) != NULL;
        if (i < meaning->input_count ? !known : meaning->types[i] != 0)
            return jr_fail(JR_ERROR_STATE, "the state is of type %u, which jitreduce %s does not know",
                           meaning->types[i], jr_version());
    }
    return JR_OK;
}

jr_status jr_state_bytes_check(const uint8_t *bytes, size_t size, jr_state_head *head) {
    JR_TRY(check_whole(bytes, size));
    jr_state_head found = {.meaning = {.op_count = bytes[AT_OP_COUNT],
                                       .input_count = bytes[AT_INPUT_COUNT],
                                       .sum_count = bytes[AT_SUM_COUNT],
                                       .added = bytes[AT_ADDED],
                                       .skips_nan = bytes[AT_SKIPS_NAN]},
                           .elements = get(bytes + AT_ELEMENTS, 8),
                           .kept = get(bytes + AT_KEPT, 8)};
    const jr_state_meaning *meaning = &found.meaning;
    if (meaning->op_count < 1 || meaning->op_count > JR_OPS_MAX || meaning->input_count < 1 ||
        meaning->input_count > JR_INPUTS_MAX || meaning->skips_nan > 1 || bytes[AT_SUM_COUNT + 1] != 0 ||
        found.kept > found.elements || (meaning->sum_count > 0) != has_magic(bytes, of_sums))
        return jr_fail(JR_ERROR_STATE, "the state is damaged: its head contradicts itself");
    memcpy(found.meaning.ops, bytes + AT_OPS, JR_OPS_MAX);
    memcpy(found.meaning.types, bytes + AT_TYPES, JR_INPUTS_MAX);
    memcpy(found.meaning.expressions, bytes + AT_EXPRESSIONS, JR_DIGEST_BYTES);
    const jr_status status = check_numbers(meaning);
    if (status == JR_OK) *head = found;
    return status;
}

/* Reads a sum of which `left` bytes are there; *used: how many it had. */
static jr_status read_sum(const uint8_t *at, size_t left, jr_exact_number *number, size_t *used) {
    static const char *const wrong = "the state is damaged: a sum is not in the form that sums have";
    if (left < JR_STATE_SUM_BYTES) return jr_fail(JR_ERROR_STATE, "the state is damaged: a sum is missing");
    const size_t bytes = (size_t)get(at + 2, 2);
    const int32_t exponent = (int32_t)(uint32_t)get(at + 4, 4);
    const uint8_t *magnitude = at + JR_STATE_SUM_BYTES;
    if (bytes > left - JR_STATE_SUM_BYTES || bytes > sizeof number->magnitude)
        return jr_fail(JR_ERROR_STATE, "the state is damaged: a sum of %zu bytes", bytes);
    if (at[0] > JR_EXACT_CLASS_NAN || at[1] > 1) return jr_fail(JR_ERROR_STATE, "%s", wrong);
    if (bytes == 0 && (exponent != 0 || at[1])) return jr_fail(JR_ERROR_STATE, "%s", wrong);
    if (bytes > 0 && (at[0] != JR_EXACT_CLASS_FINITE || !(magnitude[0] & 1) || magnitude[bytes - 1] == 0))
        return jr_fail(JR_ERROR_STATE, "%s", wrong);
    *number =
        (jr_exact_number){.class = (jr_exact_class)at[0], .negative = at[1], .exponent = exponent, .bytes = bytes};
    memcpy(number->magnitude, magnitude, bytes);
    *used = JR_STATE_SUM_BYTES + bytes;
    return JR_OK;
}

static jr_status read_sums(const jr_reduction *reduction, const uint8_t *bytes, size_t size, uint64_t kept,
                           unsigned char *state) {
    size_t at = 0;
    for (int i = 0; i < reduction->sum_count; i++) {
        jr_exact_number number;
        size_t used = 0;
        JR_TRY(read_sum(bytes + at, size - at, &number, &used));
        JR_TRY(jr_exact_sum_write(&reduction->sums[i], &number, kept, state));
        at += used;
    }
    if (at != size) return jr_fail(JR_ERROR_STATE, "the state is damaged: bytes follow its sums");
    jr_exact_count_kept(reduction, state);
    return JR_OK;
}

/* Other states lie as this version's kernels lay them. */
static jr_status read_others(const jr_reduction *reduction, const uint8_t *bytes, size_t size, unsigned char *state) {
    if (size < JR_STATE_VERSION_BYTES || size - JR_STATE_VERSION_BYTES != reduction->accumulator_bytes)
        return jr_fail(JR_ERROR_STATE, "the state is damaged: it has %zu bytes, not %zu", size,
                       JR_STATE_VERSION_BYTES + reduction->accumulator_bytes);
    if (strncmp((const char *)bytes, jr_version(), JR_STATE_VERSION_BYTES) != 0)
        return jr_fail(JR_ERROR_STATE,
                       "the state was written by jitreduce %.*s, and this is %s: only states of exact sums "
                       "(JR_ACCURACY_EXACT) are read by other versions",
                       JR_STATE_VERSION_BYTES, (const char *)bytes, jr_version());
    memcpy(state, bytes + JR_STATE_VERSION_BYTES, reduction->accumulator_bytes);
    return JR_OK;
}

jr_status jr_state_bytes_read(const jr_reduction *reduction, const uint8_t *bytes, size_t size, unsigned char *state,
                              uint64_t *elements) {
    const jr_state_meaning wanted = jr_state_meaning_of(reduction), written = jr_state_meaning_as_written(reduction);
    jr_state_head head;
    JR_TRY(jr_state_bytes_check(bytes, size, &head));
    if (memcmp(&head.meaning, &written, sizeof written) != 0) JR_TRY(jr_state_meaning_compare(&head.meaning, &wanted));
    const uint8_t *after = bytes + JR_STATE_HEAD_BYTES;
    const size_t left = size - JR_STATE_HEAD_BYTES - JR_DIGEST_BYTES;
    JR_TRY(reduction->sum_count > 0 ? read_sums(reduction, after, left, head.kept, state)
                                    : read_others(reduction, after, left, state));
    *elements = head.elements;
    return JR_OK;
}
