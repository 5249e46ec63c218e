/* The end of a function: its branches lead somewhere, its registers are counted, and it owns its code. */
#include "builder.h"
#include "handlers.h"

enum { REGISTERS_RESERVED = 2, REGISTERS_LEAST = 8, REGISTERS_MOST = 255, REGISTER_FILE = 65536, REGISTER_UNIT = 8 };

static void place_shared(jrs_parser *parser) {
    jrs_function *function = parser->builder->function;
    if (parser->builder->own_shared || !function->entry) return;
    if (function->uses_module_shared || function->calls) function->shared_bytes = parser->module->shared_bytes;
}

/* ptxas spills rather than let a block that the kernel is bound to not fit, and so many blocks as it promises. Warps
 * are dealt to the quarters of a multiprocessor, so a number of them that is no multiple of 4 counts as the next one.
 */
static uint32_t allot_registers(const jrs_function *function, uint32_t wanted) {
    uint32_t most = REGISTERS_MOST, warps = (function->max_threads + JRS_LANES - 1) / JRS_LANES;
    uint32_t blocks = function->min_blocks ? function->min_blocks : 1, dealt = (warps * blocks + 3) / 4 * 4;
    uint32_t share = REGISTER_FILE / (dealt * JRS_LANES) / REGISTER_UNIT * REGISTER_UNIT;
    if (function->bounded && share < most) most = share;
    if (function->register_limit && function->register_limit < most) most = function->register_limit;
    if (most < REGISTERS_LEAST) most = REGISTERS_LEAST;
    return wanted < REGISTERS_LEAST ? REGISTERS_LEAST : wanted > most ? most : wanted;
}

void jrs_finish_function(jrs_parser *parser) {
    jrs_builder *builder = parser->builder;
    jrs_function *function = builder->function;
    jrs_pass_return(parser);
    jrs_emit(parser, &(jrs_instruction){.run = jrs_op_ret}); /* falling off the end returns */
    jrs_builder_leave_last(parser);
    const uint32_t live = jrs_liveness_peak(parser);
    function->registers = allot_registers(function, live < REGISTERS_MOST ? live + REGISTERS_RESERVED : live);
    function->code = builder->code;
    function->code_count = builder->code_count;
    function->mentions = builder->mentions;
    function->frame_bytes = (builder->frame_bytes + 63) / 64 * 64;
    function->constants = builder->constants;
    function->constant_bytes = builder->constant_bytes;
    function->local_bytes = (function->local_bytes + 15) / 16 * 16;
    place_shared(parser);
    parser->builder = NULL;
}
