/* Writes and reads the bytes of kept states. All numbers have their lowest byte first, on every machine. */
#include "exact_bytes.h"

#include <string.h>

#include "base/error.h"
#include "jitreduce/types.h"
#include "spec/operator.h"

static const uint8_t magic[8] = {'J', 'R', 'E', 'X', 'A', 'C', 'T', '\n'};

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
_Static_assert(AT_EXPRESSIONS + JR_DIGEST_BYTES == JR_EXACT_HEAD_BYTES, "the head ends with the digest");

static void put(uint8_t *to, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) to[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t get(const uint8_t *from, int bytes) {
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number |= (uint64_t)from[i] << 8 * i;
    return number;
}

/* ---- writing ---- */

size_t jr_exact_bytes_most(const jr_reduction *reduction) {
    size_t bytes = JR_EXACT_HEAD_BYTES + JR_DIGEST_BYTES;
    for (int i = 0; i < reduction->sum_count; i++)
        bytes += JR_EXACT_SUM_BYTES + 4 * (size_t)reduction->sums[i].width.words;
    return bytes;
}

static size_t write_sum(const jr_exact_number *number, uint8_t *at) {
    at[0] = (uint8_t)number->class;
    at[1] = number->negative;
    put(at + 2, number->bytes, 2);
    put(at + 4, (uint32_t)number->exponent, 4);
    memcpy(at + JR_EXACT_SUM_BYTES, number->magnitude, number->bytes);
    return JR_EXACT_SUM_BYTES + number->bytes;
}

size_t jr_exact_bytes_write(const jr_reduction *reduction, const unsigned char *accumulator, uint64_t elements,
                            uint8_t *bytes) {
    const jr_exact_meaning meaning = jr_exact_meaning_of(reduction);
    size_t at = JR_EXACT_HEAD_BYTES;
    uint64_t kept = 0;
    memset(bytes, 0, JR_EXACT_HEAD_BYTES);
    for (int i = 0; i < reduction->sum_count; i++) {
        jr_exact_number number;
        kept = jr_exact_sum_read(&reduction->sums[i], accumulator, &number); /* the same of all */
        at += write_sum(&number, bytes + at);
    }
    memcpy(bytes, magic, sizeof magic);
    put(bytes + AT_VERSION, JR_EXACT_VERSION, 2);
    bytes[AT_OP_COUNT] = meaning.op_count;
    bytes[AT_INPUT_COUNT] = meaning.input_count;
    put(bytes + AT_SIZE, at + JR_DIGEST_BYTES, 4);
    put(bytes + AT_ELEMENTS, elements, 8);
    put(bytes + AT_KEPT, kept, 8);
    memcpy(bytes + AT_OPS, meaning.ops, sizeof meaning.ops);
    memcpy(bytes + AT_TYPES, meaning.types, sizeof meaning.types);
    bytes[AT_ADDED] = meaning.added;
    bytes[AT_SKIPS_NAN] = meaning.skips_nan;
    bytes[AT_SUM_COUNT] = meaning.sum_count;
    memcpy(bytes + AT_EXPRESSIONS, meaning.expressions, JR_DIGEST_BYTES);
    jr_digest_of(bytes, at, bytes + at);
    return at + JR_DIGEST_BYTES;
}

/* ---- reading ---- */

static jr_status check_whole(const uint8_t *bytes, size_t size) {
    uint8_t digest[JR_DIGEST_BYTES];
    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return jr_fail(JR_ERROR_STATE, "its first bytes are not those of a state of exact sums");
    if (size < JR_EXACT_HEAD_BYTES + JR_DIGEST_BYTES)
        return jr_fail(JR_ERROR_STATE, "the state is truncated: it has %zu bytes, a head and checksum alone have %d",
                       size, JR_EXACT_HEAD_BYTES + JR_DIGEST_BYTES);
    const unsigned version = (unsigned)get(bytes + AT_VERSION, 2);
    if (version != JR_EXACT_VERSION)
        return jr_fail(JR_ERROR_STATE, "the state is of format %u, and jitreduce %s reads format %d", version,
                       jr_version(), JR_EXACT_VERSION);
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
static jr_status check_numbers(const jr_exact_meaning *meaning) {
    for (int i = 0; i < JR_OPS_MAX; i++) {
        const jr_operator *row = jr_operator_find((jr_op)meaning->ops[i]);
        if (i < meaning->op_count ? row == NULL || row->exact == NULL : meaning->ops[i] != 0)
            return jr_fail(JR_ERROR_STATE, "the state is of operator %u, of which jitreduce %s knows no exact sums",
                           meaning->ops[i], jr_version());
    }
    for (int i = 0; i < JR_INPUTS_MAX; i++) {
        const bool known = meaning->types[i] == JR_STRUCT || jr_dtype_find((jr_type)meaning->types[i]) != NULL;
        if (i < meaning->input_count ? !known : meaning->types[i] != 0)
            return jr_fail(JR_ERROR_STATE, "the state is of type %u, which jitreduce %s does not know",
                           meaning->types[i], jr_version());
    }
    return JR_OK;
}

jr_status jr_exact_bytes_check(const uint8_t *bytes, size_t size, jr_exact_head *head) {
    JR_TRY(check_whole(bytes, size));
    jr_exact_head found = {.meaning = {.op_count = bytes[AT_OP_COUNT],
                                       .input_count = bytes[AT_INPUT_COUNT],
                                       .sum_count = bytes[AT_SUM_COUNT],
                                       .added = bytes[AT_ADDED],
                                       .skips_nan = bytes[AT_SKIPS_NAN]},
                           .elements = get(bytes + AT_ELEMENTS, 8),
                           .kept = get(bytes + AT_KEPT, 8)};
    const jr_exact_meaning *meaning = &found.meaning;
    if (meaning->op_count < 1 || meaning->op_count > JR_OPS_MAX || meaning->input_count < 1 ||
        meaning->input_count > JR_INPUTS_MAX || meaning->skips_nan > 1 || bytes[AT_SUM_COUNT + 1] != 0 ||
        found.kept > found.elements)
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
    if (left < JR_EXACT_SUM_BYTES) return jr_fail(JR_ERROR_STATE, "the state is damaged: a sum is missing");
    const size_t bytes = (size_t)get(at + 2, 2);
    const int32_t exponent = (int32_t)(uint32_t)get(at + 4, 4);
    const uint8_t *magnitude = at + JR_EXACT_SUM_BYTES;
    if (bytes > left - JR_EXACT_SUM_BYTES || bytes > sizeof number->magnitude)
        return jr_fail(JR_ERROR_STATE, "the state is damaged: a sum of %zu bytes", bytes);
    if (at[0] > JR_EXACT_CLASS_NAN || at[1] > 1) return jr_fail(JR_ERROR_STATE, "%s", wrong);
    if (bytes == 0 && (exponent != 0 || at[1])) return jr_fail(JR_ERROR_STATE, "%s", wrong);
    if (bytes > 0 && (at[0] != JR_EXACT_CLASS_FINITE || !(magnitude[0] & 1) || magnitude[bytes - 1] == 0))
        return jr_fail(JR_ERROR_STATE, "%s", wrong);
    *number =
        (jr_exact_number){.class = (jr_exact_class)at[0], .negative = at[1], .exponent = exponent, .bytes = bytes};
    memcpy(number->magnitude, magnitude, bytes);
    *used = JR_EXACT_SUM_BYTES + bytes;
    return JR_OK;
}

jr_status jr_exact_bytes_read(const jr_reduction *reduction, const uint8_t *bytes, size_t size,
                              unsigned char *accumulator, uint64_t *elements) {
    const jr_exact_meaning wanted = jr_exact_meaning_of(reduction), written = jr_exact_meaning_as_written(reduction);
    jr_exact_head head;
    size_t at = JR_EXACT_HEAD_BYTES;
    jr_status status = jr_exact_bytes_check(bytes, size, &head);
    if (status == JR_OK && memcmp(&head.meaning, &written, sizeof written) != 0)
        status = jr_exact_meaning_compare(&head.meaning, &wanted);
    for (int i = 0; status == JR_OK && i < reduction->sum_count; i++) {
        jr_exact_number number;
        size_t used = 0;
        status = read_sum(bytes + at, size - JR_DIGEST_BYTES - at, &number, &used);
        if (status == JR_OK) status = jr_exact_sum_write(&reduction->sums[i], &number, head.kept, accumulator);
        at += used;
    }
    if (status == JR_OK && at != size - JR_DIGEST_BYTES)
        status = jr_fail(JR_ERROR_STATE, "the state is damaged: bytes follow its sums");
    if (status == JR_OK) *elements = head.elements;
    return status;
}
