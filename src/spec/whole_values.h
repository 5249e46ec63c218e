/* Numbers of expressions as C sees them: kinds, types of integers, and the ranges in which integers lie. */
#ifndef JR_SPEC_WHOLE_VALUES_H
#define JR_SPEC_WHOLE_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "expression/token.h"
#include "jitreduce/types.h"

/* The kind of a value, in the order in which arithmetic widens them. */
typedef enum jr_value_kind {
    JR_KIND_UNKNOWN, /* a struct, or what the struct's text declares */
    JR_KIND_INTEGER, /* bool, too */
    JR_KIND_FLOAT,
    JR_KIND_DOUBLE /* or, together with a number of unknown kind, a float */
} jr_value_kind;

/* Types of integers after promotion, in the order of the usual arithmetic conversions; long is long long. */
typedef enum jr_whole_type { JR_WHOLE_INT, JR_WHOLE_UINT, JR_WHOLE_LONG, JR_WHOLE_ULONG } jr_whole_type;

/* Holds every product of two numbers of 64 bits, except the greatest, which saturate. */
__extension__ typedef __int128 jr_whole;

/* A value. type, constant and the range are of integers; a constant's range is its value. */
typedef struct jr_number {
    unsigned char kind; /* a jr_value_kind */
    unsigned char type; /* a jr_whole_type */
    bool constant;      /* made of literals alone; of floats only a literal, with or without a sign */
    bool truth;         /* 0 or 1, of a comparison, a question or a bool */
    jr_whole low, high;
} jr_number;

/* What is doubtful about an operator and its operands. */
typedef enum jr_doubt {
    JR_DOUBT_FLOAT = 1,      /* a float, where only integers have a meaning */
    JR_DOUBT_OVERFLOWS = 2,  /* a constant that its type does not hold */
    JR_DOUBT_SHIFT = 4,      /* by a constant that is negative, or as large as the number of bits */
    JR_DOUBT_TRUTH = 8,      /* the bits of a comparison or a bool turned: never 0 */
    JR_DOUBT_CHAIN = 16,     /* a comparison compared, or masked, without brackets */
    JR_DOUBT_NOT = 32,       /* a negation compared */
    JR_DOUBT_COUNT = 64,     /* a call with too many or too few arguments */
    JR_DOUBT_MISSING = 4096, /* an operator between two operands */
    JR_DOUBT_MEMBER = 8192,  /* of a number */
    JR_DOUBT_ALWAYS = 16384, /* a constant other than 0 and 1 as a condition */
    JR_DOUBT_NAN = 262144,   /* a comparison with NAN, whose answer does not depend on the other side */
    JR_DOUBT_REFUSED = 127 | 4096 | 8192 | 16384 | 262144, /* those above are mistakes; those below may be meant */
    JR_DOUBT_CUT = 128,                                    /* the quotient of two constants is not whole */
    JR_DOUBT_SIGNS = 256,      /* what may be negative is compared with, divided or chosen as an unsigned number */
    JR_DOUBT_WRAPS = 512,      /* in its range a value may not fit its type */
    JR_DOUBT_CUTS = 1024,      /* a quotient of integers may not be whole */
    JR_DOUBT_BY_ZERO = 2048,   /* a divisor may be 0 */
    JR_DOUBT_POWER = 32768,    /* exclusive or with a small constant, where a power may be meant */
    JR_DOUBT_COMPARES = 65536, /* a whole expression is a comparison: a mistake where an element is meant */
    JR_DOUBT_ROUNDS = 131072,  /* a float is compared for equality with a constant that no float is */
    JR_DOUBT_LEAST = 524288,   /* the least i64 as C does not read it: the number after its sign is unsigned */
    JR_DOUBT_FAR = 1048576, /* a number may be shifted left by as many bits as it has, or a constant out of its type */
    JR_DOUBT_NOTED = 128 | 256 | 32768 | 131072 | 524288 /* of those that may be meant: what a sentence explains */
} jr_doubt;

/* A number of an element type, and any of a kind. */
jr_number jr_number_of_type(jr_type type);
jr_number jr_number_of_kind(jr_value_kind kind);

/* A literal of C. */
jr_number jr_number_of_literal(jr_token token);

/* The only literal of which the negative alone fits i64. */
#define JR_LITERAL_2_TO_63 "9223372036854775808"

/* The least i64, of which this literal follows a minus. */
jr_number jr_number_least(void);

/* False for a decimal literal whose value no float of 32 bits has, whatever its exponent. */
bool jr_literal_is_float(const char *text, size_t length);

/* Whether the float nearest to a literal that jr_literal_is_float refuses is below it. */
bool jr_literal_rounds_below(const char *text, size_t length);

/* What an operator makes of its operands. *doubts grows by what is doubtful. */
jr_number jr_number_between(jr_token sign, const jr_number *a, const jr_number *b, unsigned *doubts);
jr_number jr_number_after(jr_token sign, const jr_number *a, unsigned *doubts);

/* One of two numbers, as ?:, max and min give it: of the type of their sum. */
jr_number jr_number_either(const jr_number *a, const jr_number *b, unsigned *doubts);

/* The number that a function such as min or max gives of two. */
jr_number jr_number_of_two(jr_token function, const jr_number *a, const jr_number *b);

/* Its absolute value, and its conversion to another number's type, which somebody wrote down. */
jr_number jr_number_magnitude(const jr_number *a, unsigned *doubts);
jr_number jr_number_cast(const jr_number *to, const jr_number *a);

#endif
