/* Two stacks, of operands and of operators that wait for theirs. */
#ifndef JR_SPEC_KIND_STACK_H
#define JR_SPEC_KIND_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "expression/expression.h"
#include "expression/functions.h"
#include "whole_values.h"

/* A value and the text that it is of. */
typedef struct jr_operand {
    jr_number number;
    unsigned short begin, end; /* bytes of the text */
    unsigned short sign;       /* of a comparison: where its sign stands, */
    unsigned short right;      /* and where its right side begins */
    bool compares, negates;    /* a comparison, or !, around which are no brackets */
    bool compared;             /* the comparison that was taken last, with or without brackets and ! */
} jr_operand;

/* The first doubtful operator: both operands are the same where it has one. */
typedef struct jr_slip {
    unsigned doubts; /* jr_doubt; of those below too */
    jr_token sign;   /* text NULL: no sign */
    jr_operand left, right;
} jr_slip;

/* What becomes of operands when a waiting operator's turn comes. */
typedef enum jr_kind_action {
    JR_KINDS_JOIN,  /* two: what the sign makes of both */
    JR_KINDS_SIGN,  /* one: what the sign makes of it */
    JR_KINDS_CAST,  /* one: of the type that the operator holds */
    JR_KINDS_OPEN,  /* a bracket waits for the one that closes it, */
    JR_KINDS_CALL,  /* that of a call with its arguments, */
    JR_KINDS_ASK,   /* and ? for its : */
    JR_KINDS_CHOOSE /* two: those around : */
} jr_kind_action;

/* How tightly operators bind: those between two operands from 1, which is all, to 13. */
enum { JR_BINDS_NOT = 0, JR_BINDS_ALL = 1, JR_BINDS_CHOICE = 3, JR_BINDS_PREFIX = 14 };

typedef struct jr_kind_operator {
    unsigned char action, binds;
    unsigned char gives;  /* of a call: a jr_function_gives */
    unsigned short first; /* of a call: the number of its first argument */
    unsigned char takes;  /* of a call: how many arguments, 0: any number */
    jr_token token;       /* its sign or name */
    jr_type cast;         /* of a cast, and of a call that gives anything; JR_STRUCT: of unknown kind */
} jr_kind_operator;

/* An operator as it waits: thousands may, and a call has little stack space. */
typedef struct jr_kind_waiting {
    unsigned char action, binds, gives, takes;
    unsigned short first, place; /* place: where its token stands in the text */
    unsigned short cast;
} jr_kind_waiting;

/* Operators stand between operands, so that at most half of the tokens are operands. */
enum { JR_KIND_OPERANDS = JR_EXPRESSION_TOKENS / 2 + 1 };

typedef struct jr_kind_stack {
    const char *text;
    jr_operand operands[JR_KIND_OPERANDS];
    jr_kind_waiting waiting[JR_EXPRESSION_TOKENS];
    size_t operand_count, waiting_count;
    bool operand_due;
    bool failed;           /* it is no expression */
    jr_slip mistake, note; /* the first of each: of JR_DOUBT_REFUSED, and other constants or signs */
    jr_slip comparison;    /* the last one */
    jr_slip wraps;         /* the first operator whose value may not fit its type; doubts 0: none */
    jr_slip cuts;          /* the first quotient that may not be whole; doubts 0: none */
    unsigned doubts;       /* all */
} jr_kind_stack;

/* Nothing is taken yet of a text, which stays as long as the stack. */
void jr_kind_stack_begin(jr_kind_stack *stack, const char *text);

/* Takes an operand; an operator, which waits; one between two operands, when those that bind at least as tightly have
 * had their turn; and the signs that are no operators: ) , ? : */
void jr_kind_stack_push(jr_kind_stack *stack, const jr_number *number, jr_token token);
void jr_kind_stack_wait(jr_kind_stack *stack, jr_kind_operator taken);
void jr_kind_stack_wait_between(jr_kind_stack *stack, jr_token sign, unsigned binds);
void jr_kind_stack_close(jr_kind_stack *stack, jr_token bracket);
void jr_kind_stack_comma(jr_kind_stack *stack);
void jr_kind_stack_ask(jr_kind_stack *stack);
void jr_kind_stack_choose(jr_kind_stack *stack, jr_token colon);

/* Records a mistake at a token; the first one counts. */
void jr_kind_stack_fail(jr_kind_stack *stack, jr_doubt doubt, jr_token at);

/* The value of what was taken; of unknown kind if it is no expression. */
jr_number jr_kind_stack_end(jr_kind_stack *stack);

#endif
