/* Sums of floats took more instructions than before the sum of -0 was -0: the end of each asked for the count of
 * elements, and the beginning of each chain was written twice. A product has neither, and is otherwise the same kernel.
 */
#include <string.h>

#include "jitreduce/kernel.h"
#include "program/constants.h"
#include "program/sources.h"
#include "support/fixtures/check.h"

static size_t count_of(const char *text, const char *what) {
    size_t count = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) count++;
    return count;
}

/* single_pass as it is chosen for 2^20 elements. */
static jr_image *compiled(jr_op op, jr_type type) {
    static const char *const options[] = {"--minimal", "--Ofast-compile=min", "--disable-warnings"};
    const jr_tuning tuning = {.algorithm = JR_ALGORITHM_SINGLE_PASS, .unroll = 4, .block = 256};
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = type);
    jr_named_text headers[JR_SOURCE_HEADERS_MAX];
    jr_constants constants;
    jr_reduction *reduction = NULL;
    jr_image *image = NULL;
    assert_int_equal(jr_reduction_create(&spec, &reduction), JR_OK);
    jr_constants_of(reduction, &tuning, NULL, &constants);
    const jr_program program =
        JR_INIT(jr_program, .name = "single_pass.cu", .source = jr_sources_find("reduce/single_pass.cu"),
                .entry = "jr_reduce_single_pass", .constants = constants.items, .constant_count = constants.count,
                .headers = headers, .header_count = jr_sources_headers(headers), .options = options,
                .option_count = sizeof options / sizeof *options);
    if (jr_image_compile(NULL, &program, "sm_90", &image) != JR_OK) fail_msg("%s", jr_last_error()->message);
    jr_reduction_destroy(reduction);
    return image;
}

TEST(a_sum_of_floats_asks_for_no_more_than_a_product) {
    static const jr_type types[] = {JR_F16, JR_BF16, JR_F32, JR_F64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        jr_image *sum = compiled(JR_OP_SUM, types[t]), *product = compiled(JR_OP_PROD, types[t]);
        const char *one = jr_image_ptx(sum), *other = jr_image_ptx(product);
        assert_in_range(count_of(one, "setp"), 1, count_of(other, "setp"));
        /* To load the host's zero and to add it, where what is added are words with two moves that PTX alone has. */
        const size_t more = types[t] == JR_F32 ? 4 : 2;
        assert_in_range(count_of(one, ";\n"), 1, count_of(other, ";\n") + more);
        jr_image_destroy(sum);
        jr_image_destroy(product);
    }
}

RUN_TESTS(NULL, NULL)
