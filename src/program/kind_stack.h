/* Two stacks, of the kinds of operands and of operators that wait for theirs. */
#ifndef JR_PROGRAM_KIND_STACK_H
#define JR_PROGRAM_KIND_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "expression.h"
#include "functions.h"

/* The kind of a value, in the order in which arithmetic widens them. */
typedef enum jr_value_kind {
    JR_KIND_UNKNOWN, /* a struct, or what the struct's text declares */
    JR_KIND_INTEGER, /* bool, too */
    JR_KIND_FLOAT,
    JR_KIND_DOUBLE /* or, beside a number of unknown kind, a float */
} jr_value_kind;

/* What becomes of operands when a waiting operator's turn comes. */
typedef enum jr_kind_action {
    JR_KINDS_JOIN,    /* two: what arithmetic makes of both */
    JR_KINDS_COMPARE, /* two: an integer, as of % and << */
    JR_KINDS_KEEP,    /* one: a sign */
    JR_KINDS_CAST,    /* one: of the kind that the operator holds */
    JR_KINDS_OPEN,    /* a bracket waits for the one that closes it, */
    JR_KINDS_CALL,    /* that of a call with its arguments, */
    JR_KINDS_ASK,     /* and ? for its : */
    JR_KINDS_CHOOSE   /* two: those around : */
} jr_kind_action;

/* How tightly operators bind: those between two operands from 1, which is all, to 13. */
enum { JR_BINDS_NOT = 0, JR_BINDS_ALL = 1, JR_BINDS_CHOICE = 3, JR_BINDS_PREFIX = 14 };

typedef struct jr_kind_operator {
    unsigned char action, binds;
    unsigned char kind;   /* of a cast */
    unsigned char gives;  /* of a call: a jr_function_gives */
    unsigned short first; /* of a call: the number of its first argument */
} jr_kind_operator;

typedef struct jr_kind_stack {
    unsigned char kinds[JR_EXPRESSION_TOKENS]; /* of the operands */
    jr_kind_operator waiting[JR_EXPRESSION_TOKENS];
    size_t kind_count, waiting_count;
    bool operand_due;
    bool failed; /* it is no expression */
} jr_kind_stack;

/* Takes an operand; an operator, which waits; one between two operands, when those that bind at least as tightly have
 * had their turn; and the signs that are no operators: ) , ? : */
void jr_kind_stack_push(jr_kind_stack *stack, jr_value_kind kind);
void jr_kind_stack_wait(jr_kind_stack *stack, jr_kind_operator taken);
void jr_kind_stack_wait_between(jr_kind_stack *stack, jr_kind_action action, unsigned binds);
void jr_kind_stack_close(jr_kind_stack *stack);
void jr_kind_stack_comma(jr_kind_stack *stack);
void jr_kind_stack_ask(jr_kind_stack *stack);
void jr_kind_stack_choose(jr_kind_stack *stack);

/* The kind of what was taken; unknown if it is no expression. */
jr_value_kind jr_kind_stack_end(jr_kind_stack *stack);

#endif
