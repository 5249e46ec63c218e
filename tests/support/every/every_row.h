/* Every operator, element type and algorithm of the public lists, in their order. */
#ifndef TESTS_SUPPORT_EVERY_ROW_H
#define TESTS_SUPPORT_EVERY_ROW_H

#include "jitreduce.h"

#define EVERY_OP(name, number, text)        JR_OP_##name,
#define EVERY_TYPE(name, number, text)      JR_##name,
#define EVERY_ALGORITHM(name, number, text) JR_ALGORITHM_##name,
static const jr_op every_op[] = {JR_OPS(EVERY_OP)};
static const jr_type every_type[] = {JR_TYPES(EVERY_TYPE)};
static const jr_algorithm every_algorithm[] = {JR_ALGORITHMS(EVERY_ALGORITHM)};
#undef EVERY_OP
#undef EVERY_TYPE
#undef EVERY_ALGORITHM

enum {
    EVERY_OPS = sizeof every_op / sizeof *every_op,
    EVERY_TYPES = sizeof every_type / sizeof *every_type,
    EVERY_ALGORITHMS = sizeof every_algorithm / sizeof *every_algorithm
};

#endif
