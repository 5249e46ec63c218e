/* The names that an expression may use: its variables, the parameters, what the caller's struct declares, and the
 * functions of jitreduce/reduce.h. All others are refused, so that none of the compiler's or CUDA's slips in. */
#ifndef JR_EXPRESSION_NAMES_H
#define JR_EXPRESSION_NAMES_H

#include "jitreduce/reduce.h"
#include "token.h"

/* Where an expression stands. */
typedef struct jr_names {
    const char *what;      /* names the expression in messages: "combine" */
    const char *variables; /* separated by blanks: "a b" */
    const jr_parameter *parameters;
    int parameter_count;
    int input_count;               /* of x y z w: those there are; 0: all of them */
    const jr_structure *structure; /* NULL: none */
} jr_names;

typedef enum jr_name_kind {
    JR_NAME_UNKNOWN,
    JR_NAME_VALUE,
    JR_NAME_TYPE,
    JR_NAME_DECLARED, /* by the struct's text: a type or a value */
    JR_NAME_FUNCTION, /* must be called */
    JR_NAME_MACRO     /* of the struct's text, with arguments: it may repeat them */
} jr_name_kind;

/* What a word is there. *weight: of a function or macro, what a call adds to the program (functions.h). */
jr_name_kind jr_names_find(const jr_names *names, jr_token word, size_t *weight);

/* Does the struct's text have the word? */
bool jr_names_declared(const jr_names *names, jr_token word);

#endif
