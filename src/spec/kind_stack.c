/* Finds the values that operators make of their operands. Each waits until one that binds less tightly comes: recursion
 * would need stack space for each bracket. Source: C++17 standard, [expr.arith.conv], [expr.cond], [expr.comma]. */
#include "kind_stack.h"

#include <string.h>

void jr_kind_stack_begin(jr_kind_stack *stack, const char *text) {
    stack->text = text;
    stack->operand_count = stack->waiting_count = stack->doubts = 0;
    stack->operand_due = true;
    stack->failed = false;
    stack->mistake = stack->note = stack->comparison = stack->wraps = stack->cuts = (jr_slip){.doubts = 0};
}

static size_t place_of(const jr_kind_stack *stack, const char *at) {
    return (size_t)(at - stack->text);
}

static void push(jr_kind_stack *stack, jr_operand operand) {
    if (stack->operand_count >= JR_KIND_OPERANDS || !stack->operand_due) {
        stack->failed = true;
        return;
    }
    stack->operands[stack->operand_count++] = operand;
    stack->operand_due = false;
}

void jr_kind_stack_push(jr_kind_stack *stack, const jr_number *number, jr_token token) {
    const size_t begin = place_of(stack, token.text);
    push(stack, (jr_operand){
                    .number = *number, .begin = (unsigned short)begin, .end = (unsigned short)(begin + token.length)});
}

static jr_operand pop(jr_kind_stack *stack) {
    if (stack->operand_count > 0) return stack->operands[--stack->operand_count];
    stack->failed = true;
    return (jr_operand){.number = jr_number_of_kind(JR_KIND_UNKNOWN)};
}

void jr_kind_stack_wait(jr_kind_stack *stack, jr_kind_operator taken) {
    if (stack->waiting_count >= JR_EXPRESSION_TOKENS) {
        stack->failed = true;
        return;
    }
    stack->waiting[stack->waiting_count++] = (jr_kind_waiting){
        .action = taken.action,
        .binds = taken.binds,
        .gives = taken.gives,
        .takes = taken.takes,
        .first = (unsigned short)stack->operand_count,
        .place = (unsigned short)(taken.token.text != NULL ? place_of(stack, taken.token.text) : 0),
        .cast = (unsigned short)taken.cast,
    };
    stack->operand_due = true;
}

static jr_kind_operator waiting_at(const jr_kind_stack *stack, size_t index) {
    const jr_kind_waiting *waits = &stack->waiting[index];
    return (jr_kind_operator){.action = waits->action,
                              .binds = waits->binds,
                              .gives = waits->gives,
                              .takes = waits->takes,
                              .first = waits->first,
                              .token = jr_token_next(stack->text + waits->place),
                              .cast = (jr_type)waits->cast};
}

/* True if the kernel may skip what is read now: a value of ?:, the right side of && or ||, sizeof's operand. An
 * overflow there is no mistake, since it may never be computed. */
static bool is_conditional(const jr_kind_stack *stack) {
    for (size_t i = 0; i < stack->waiting_count; i++) {
        const jr_kind_operator waits = waiting_at(stack, i);
        if (waits.action == JR_KINDS_ASK || waits.action == JR_KINDS_CHOOSE) return true;
        if (waits.action == JR_KINDS_JOIN && jr_token_is_one_of(waits.token, "&& ||")) return true;
        if (waits.action == JR_KINDS_CAST && jr_token_is_one_of(waits.token, "sizeof alignof")) return true;
    }
    return false;
}

/* Records doubts about an operator: stack->mistake, note, wraps and cuts keep the first of each kind. */
static void find(jr_kind_stack *stack, unsigned doubts, jr_token sign, const jr_operand *left,
                 const jr_operand *right) {
    if (is_conditional(stack)) doubts &= ~(unsigned)(JR_DOUBT_OVERFLOWS | JR_DOUBT_SHIFT | JR_DOUBT_FAR);
    const jr_slip found = {.doubts = doubts, .sign = sign, .left = *left, .right = *right};
    stack->doubts |= doubts;
    if ((doubts & JR_DOUBT_REFUSED) != 0 && stack->mistake.doubts == 0) stack->mistake = found;
    if ((doubts & JR_DOUBT_NOTED) != 0 && stack->note.doubts == 0) stack->note = found;
    if ((doubts & (JR_DOUBT_WRAPS | JR_DOUBT_FAR)) != 0 && stack->wraps.doubts == 0) stack->wraps = found;
    if ((doubts & JR_DOUBT_CUTS) != 0 && stack->cuts.doubts == 0) stack->cuts = found;
}

void jr_kind_stack_fail(jr_kind_stack *stack, jr_doubt doubt, jr_token at) {
    const jr_operand nothing = {.begin = 0};
    const jr_operand *before = stack->operand_count > 0 ? &stack->operands[stack->operand_count - 1] : &nothing;
    find(stack, doubt, at, before, before);
    stack->failed = true;
}

/* The text of an operand without a sign before it. */
static const char *text_of(const jr_kind_stack *stack, const jr_operand *operand, size_t *length) {
    const char *text = stack->text + operand->begin;
    const size_t sign = strspn(text, "+- ");
    *length = operand->end - operand->begin > (int)sign ? (size_t)(operand->end - operand->begin) - sign : 0;
    return text + sign;
}

static bool is_nan(const jr_kind_stack *stack, const jr_operand *operand) {
    size_t length;
    const char *text = text_of(stack, operand, &length);
    return length == 3 && strncmp(text, "NAN", length) == 0;
}

/* Is it a double's constant that no float equals? */
static bool is_no_float(const jr_kind_stack *stack, const jr_operand *operand) {
    size_t length;
    const char *text = text_of(stack, operand, &length);
    return operand->number.constant && operand->number.kind == JR_KIND_DOUBLE && !jr_literal_is_float(text, length);
}

/* Is the float that is nearest to such a constant below it? */
static bool rounds_below(const jr_kind_stack *stack, const jr_operand *operand) {
    size_t length;
    const char *text = text_of(stack, operand, &length);
    return jr_literal_rounds_below(text, length) != (stack->text[operand->begin] == '-');
}

/* Comparisons whose answer is the same whatever the element is, or not as meant for the float nearest to a constant. */
static unsigned find_constant_answers(const jr_kind_stack *stack, jr_token sign, const jr_operand *left,
                                      const jr_operand *right) {
    if (!jr_token_is_one_of(sign, "< > <= >= == !=")) return 0;
    if (is_nan(stack, left) || is_nan(stack, right)) return JR_DOUBT_NAN;
    const bool rounds_right = left->number.kind == JR_KIND_FLOAT && is_no_float(stack, right);
    const bool rounds_left = right->number.kind == JR_KIND_FLOAT && is_no_float(stack, left);
    if (!rounds_right && !rounds_left) return 0;
    if (jr_token_is_one_of(sign, "== !=")) return JR_DOUBT_ROUNDS;
    const bool below = rounds_below(stack, rounds_right ? right : left);
    return jr_token_is_one_of(sign, below == rounds_right ? ">= <" : "<= >") ? JR_DOUBT_ROUNDS : 0;
}

/* Mathematics' 1 < x < 3, Python's x & 1 == 0 and not x == 3, which C takes apart in other ways. */
static unsigned find_slips(jr_token sign, const jr_operand *left, const jr_operand *right) {
    const bool compares = jr_token_is_one_of(sign, "< > <= >= == !=");
    if (compares && left->negates && !right->negates) return JR_DOUBT_NOT;
    if (!compares && !jr_token_is_one_of(sign, "& | ^")) return 0;
    if (compares && jr_token_is_one_of(sign, "< > <= >="))
        return left->compares || right->compares ? JR_DOUBT_CHAIN : 0;
    return left->compares != right->compares ? JR_DOUBT_CHAIN : 0;
}

static void apply_between(jr_kind_stack *stack, const jr_kind_operator *taken) {
    const jr_operand right = pop(stack), left = pop(stack);
    unsigned doubts =
        find_slips(taken->token, &left, &right) | find_constant_answers(stack, taken->token, &left, &right);
    jr_operand made = {.begin = left.begin, .end = right.end, .right = right.begin};
    made.sign = (unsigned short)place_of(stack, taken->token.text);
    made.compares = made.compared = jr_token_is_one_of(taken->token, "< > <= >= == !=");
    if (made.compares)
        stack->comparison = (jr_slip){.doubts = JR_DOUBT_COMPARES, .sign = taken->token, .left = left, .right = right};
    made.number = jr_number_between(taken->token, &left.number, &right.number, &doubts);
    find(stack, doubts, taken->token, &left, &right);
    push(stack, made);
}

static void apply_choice(jr_kind_stack *stack, jr_token colon) {
    unsigned doubts = 0;
    const jr_operand other = pop(stack), one = pop(stack);
    const jr_number number = jr_number_either(&one.number, &other.number, &doubts);
    find(stack, doubts, colon, &one, &other);
    push(stack, (jr_operand){.number = number, .begin = one.begin, .end = other.end});
}

static jr_number cast(jr_type type, const jr_number *number) {
    const jr_number any = jr_number_of_type(type);
    return jr_number_cast(&any, number);
}

static void apply(jr_kind_stack *stack, const jr_kind_operator *taken) {
    unsigned doubts = 0;
    stack->operand_due = true;
    if (taken->action == JR_KINDS_JOIN) {
        apply_between(stack, taken);
        return;
    }
    if (taken->action == JR_KINDS_CHOOSE) {
        apply_choice(stack, taken->token);
        return;
    }
    const jr_operand operand = pop(stack);
    jr_operand made = {.number = operand.number, .end = operand.end};
    made.begin = (unsigned short)place_of(stack, taken->token.text);
    if (taken->action == JR_KINDS_CAST) made.number = cast(taken->cast, &operand.number);
    if (taken->action == JR_KINDS_SIGN) {
        made.number = jr_number_after(taken->token, &operand.number, &doubts);
        made.negates = jr_token_is_one_of(taken->token, "!");
        made.compared = made.negates && operand.compared;
        find(stack, doubts, taken->token, &operand, &operand);
    }
    push(stack, made);
}

/* The operator that was pushed last; if none waits, one without an effect. */
static jr_kind_operator last(const jr_kind_stack *stack) {
    const jr_kind_operator nothing = {.action = JR_KINDS_SIGN, .binds = JR_BINDS_NOT};
    return stack->waiting_count > 0 ? waiting_at(stack, stack->waiting_count - 1) : nothing;
}

/* Applies waiting operators, the last one first, as long as they bind at least as tightly as `binds`. */
static void apply_all(jr_kind_stack *stack, unsigned binds) {
    if (stack->operand_due) stack->failed = true;
    while (!stack->failed && stack->waiting_count > 0 && stack->waiting[stack->waiting_count - 1].binds >= binds) {
        const jr_kind_operator taken = waiting_at(stack, --stack->waiting_count);
        apply(stack, &taken);
    }
}

void jr_kind_stack_wait_between(jr_kind_stack *stack, jr_token sign, unsigned binds) {
    apply_all(stack, binds);
    jr_kind_stack_wait(stack,
                       (jr_kind_operator){.action = JR_KINDS_JOIN, .binds = (unsigned char)binds, .token = sign});
}

/* The value of a function that returns an integer; predicates such as isnan return 0 or 1. */
static jr_number integer_of(jr_token name) {
    const jr_number any = jr_number_of_kind(JR_KIND_INTEGER), truth = jr_number_of_type(JR_BOOL);
    return jr_token_is_one_of(name, "isfinite isinf isnan signbit") ? truth : any;
}

static jr_number value_of_call(jr_kind_stack *stack, const jr_kind_operator *call) {
    const jr_operand *given = &stack->operands[call->first];
    const size_t count = stack->operand_count - call->first;
    jr_number sum = count > 0 ? given[0].number : jr_number_of_kind(JR_KIND_UNKNOWN);
    bool floats = true;
    for (size_t i = 0; i < count; i++) {
        floats &= given[i].number.kind == JR_KIND_FLOAT;
        sum = i > 0 ? jr_number_of_two(call->token, &sum, &given[i].number) : sum;
    }
    switch ((jr_function_gives)call->gives) {
    case JR_GIVES_FLOATS: return jr_number_of_kind(floats ? JR_KIND_FLOAT : JR_KIND_DOUBLE);
    case JR_GIVES_FIRST:
        return jr_number_of_kind(count > 0 && given[0].number.kind == JR_KIND_FLOAT ? JR_KIND_FLOAT : JR_KIND_DOUBLE);
    case JR_GIVES_SUM:
        sum.truth = false;
        return jr_token_is_one_of(call->token, "abs") ? jr_number_magnitude(&sum, &stack->doubts) : sum;
    case JR_GIVES_INTEGER: return integer_of(call->token);
    case JR_GIVES_FLOAT: return jr_number_of_kind(JR_KIND_FLOAT);
    case JR_GIVES_DOUBLE: return jr_number_of_kind(JR_KIND_DOUBLE);
    case JR_GIVES_ANYTHING: break;
    }
    return count == 1 ? cast(call->cast, &given[0].number) : jr_number_of_type(call->cast);
}

/* Applies what waits since the bracket opened; the value of the brackets, or of the call, becomes one operand. In a
 * call without arguments an operand is still due, which is no mistake. */
void jr_kind_stack_close(jr_kind_stack *stack, jr_token bracket) {
    const jr_kind_operator before = last(stack);
    const bool empty = stack->operand_due && before.action == JR_KINDS_CALL && before.first == stack->operand_count;
    if (!empty) apply_all(stack, JR_BINDS_ALL);
    const jr_kind_operator open = last(stack);
    if (open.action != JR_KINDS_OPEN && open.action != JR_KINDS_CALL) stack->failed = true;
    if (stack->failed) return;
    stack->waiting_count--;
    jr_operand made = {.begin = (unsigned short)place_of(stack, open.token.text),
                       .end = (unsigned short)(place_of(stack, bracket.text) + 1)};
    const bool called = open.action == JR_KINDS_CALL;
    const size_t count = stack->operand_count - open.first;
    made.number = called ? value_of_call(stack, &open) : stack->operands[stack->operand_count - 1].number;
    made.compared = !called && stack->operands[stack->operand_count - 1].compared;
    if (called && open.takes > 0 && count != open.takes) find(stack, JR_DOUBT_COUNT, open.token, &made, &made);
    stack->operand_count = called ? open.first : stack->operand_count - 1;
    stack->operand_due = true;
    push(stack, made);
}

/* A comma between arguments keeps both values; any other comma drops the value before it. */
void jr_kind_stack_comma(jr_kind_stack *stack) {
    apply_all(stack, JR_BINDS_ALL);
    if (last(stack).action != JR_KINDS_CALL) (void)pop(stack);
    stack->operand_due = true;
}

void jr_kind_stack_ask(jr_kind_stack *stack) {
    apply_all(stack, JR_BINDS_CHOICE + 1);
    (void)pop(stack);
    jr_kind_stack_wait(stack, (jr_kind_operator){.action = JR_KINDS_ASK, .binds = JR_BINDS_NOT});
}

void jr_kind_stack_choose(jr_kind_stack *stack, jr_token colon) {
    apply_all(stack, JR_BINDS_ALL);
    stack->failed |= last(stack).action != JR_KINDS_ASK;
    if (stack->failed) return;
    stack->waiting_count--;
    jr_kind_stack_wait(stack, (jr_kind_operator){.action = JR_KINDS_CHOOSE, .binds = JR_BINDS_CHOICE, .token = colon});
}

jr_number jr_kind_stack_end(jr_kind_stack *stack) {
    apply_all(stack, JR_BINDS_ALL);
    const bool whole = !stack->failed && stack->waiting_count == 0 && stack->operand_count == 1;
    if (!whole || !stack->operands[0].compared) stack->comparison.doubts = 0;
    return whole ? stack->operands[0].number : jr_number_of_kind(JR_KIND_UNKNOWN);
}
