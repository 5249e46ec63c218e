/* Operators: what the command knows of each besides what the library says (jr_op_flags), one row an operator. */
#ifndef CLI_OPERATOR_H
#define CLI_OPERATOR_H

#include <stdbool.h>

#include <jitreduce.h>

/* What an operator keeps while it combines, where that is one number. */
typedef enum cli_op_keeps {
    CLI_KEEPS_SEVERAL, /* or not known */
    CLI_KEEPS_RESULT,  /* of the type of its result */
    CLI_KEEPS_ELEMENT,
    CLI_KEEPS_FLAG,  /* u32 */
    CLI_KEEPS_COUNT, /* u64 */
    CLI_KEEPS_MEAN   /* the sum: f64 of floats, i64 of whole numbers of 1 or 2 bytes */
} cli_op_keeps;

/* How results of whole numbers become larger than their elements. */
typedef enum cli_op_grows {
    CLI_GROWS_NOT,
    CLI_GROWS_AS_SUM,
    CLI_GROWS_AS_PRODUCT,
    CLI_GROWS_UNKNOWN /* it may do so whatever the elements are */
} cli_op_grows;

enum {
    CLI_OP_INDEX = 1,   /* its result is the index of an element */
    CLI_OP_COUNTS = 2,  /* its result is a whole number whatever its elements are: a count, a truth value, an index */
    CLI_OP_ADDS = 4,    /* its result is a sum of terms, or the root of one: bounds of rounded sums hold */
    CLI_OP_MODULAR = 8, /* of whole numbers it is right modulo 2^64 */
    CLI_OP_DDOF = 16    /* reads ddof */
};

typedef struct cli_operator {
    jr_op op;
    const char *meaning; /* shown by `help operators`; "": not known */
    cli_op_keeps keeps;
    cli_op_grows grows;
    unsigned flags;
} cli_operator;

/* Returns the row of an operator; for one that the command does not know, such as a newer library has, a row that says
 * so. */
const cli_operator *cli_operator_of(jr_op op);

/* Whether one of these flags is an operator's. */
bool cli_operator_is(jr_op op, unsigned flags);

#endif
