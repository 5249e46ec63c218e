/* The command's table of operators. */
#include "cli_operator.h"

static const cli_operator rows[] = {
    {.op = JR_OP_SUM,
     .meaning = "sum",
     .keeps = CLI_KEEPS_RESULT,
     .grows = CLI_GROWS_AS_SUM,
     .flags = CLI_OP_ADDS | CLI_OP_MODULAR},
    {.op = JR_OP_PROD,
     .meaning = "product",
     .keeps = CLI_KEEPS_RESULT,
     .grows = CLI_GROWS_AS_PRODUCT,
     .flags = CLI_OP_MODULAR},
    {.op = JR_OP_MIN, .meaning = "smallest element", .keeps = CLI_KEEPS_ELEMENT},
    {.op = JR_OP_MAX, .meaning = "largest element", .keeps = CLI_KEEPS_ELEMENT},
    {.op = JR_OP_AND, .meaning = "bitwise and", .keeps = CLI_KEEPS_ELEMENT},
    {.op = JR_OP_OR, .meaning = "bitwise or", .keeps = CLI_KEEPS_ELEMENT},
    {.op = JR_OP_XOR, .meaning = "bitwise exclusive or", .keeps = CLI_KEEPS_ELEMENT},
    {.op = JR_OP_ANY, .meaning = "whether any element differs from 0", .keeps = CLI_KEEPS_FLAG, .flags = CLI_OP_COUNTS},
    {.op = JR_OP_ALL,
     .meaning = "whether every element differs from 0",
     .keeps = CLI_KEEPS_FLAG,
     .flags = CLI_OP_COUNTS},
    {.op = JR_OP_COUNT_NONZERO,
     .meaning = "number of elements that differ from 0",
     .keeps = CLI_KEEPS_COUNT,
     .flags = CLI_OP_COUNTS},
    {.op = JR_OP_ARGMIN,
     .meaning = "index of the first smallest element, from 0",
     .flags = CLI_OP_INDEX | CLI_OP_COUNTS},
    {.op = JR_OP_ARGMAX,
     .meaning = "index of the first largest element, from 0",
     .flags = CLI_OP_INDEX | CLI_OP_COUNTS},
    {.op = JR_OP_MEAN, .meaning = "arithmetic mean", .keeps = CLI_KEEPS_MEAN, .flags = CLI_OP_ADDS},
    {.op = JR_OP_VAR, .meaning = "variance: divided by n - ddof (--ddof; default: 0)", .flags = CLI_OP_DDOF},
    {.op = JR_OP_STD, .meaning = "standard deviation: the root of var", .flags = CLI_OP_DDOF},
    {.op = JR_OP_NORM1, .meaning = "sum of |x|", .keeps = CLI_KEEPS_RESULT, .flags = CLI_OP_ADDS},
    {.op = JR_OP_NORM2, .meaning = "root of the sum of x * x", .flags = CLI_OP_ADDS},
    {.op = JR_OP_NORMINF, .meaning = "largest |x|", .keeps = CLI_KEEPS_RESULT},
    {.op = JR_OP_SUMSQ, .meaning = "sum of x * x", .keeps = CLI_KEEPS_RESULT, .flags = CLI_OP_ADDS | CLI_OP_MODULAR},
    {.op = JR_OP_DOT,
     .meaning = "sum of x * y of two inputs (-y FILE)",
     .keeps = CLI_KEEPS_RESULT,
     .flags = CLI_OP_ADDS | CLI_OP_MODULAR},
    {.op = JR_OP_LOGSUMEXP, .meaning = "log of the sum of exp(x), without overflow"},
    {.op = JR_OP_CUSTOM, .meaning = "your own: --combine and --identity", .grows = CLI_GROWS_UNKNOWN}};

static const cli_operator unknown = {.meaning = "", .grows = CLI_GROWS_UNKNOWN};

const cli_operator *cli_operator_of(jr_op op) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op) return &rows[i];
    return &unknown;
}

bool cli_operator_is(jr_op op, unsigned flags) {
    return (cli_operator_of(op)->flags & flags) != 0;
}
