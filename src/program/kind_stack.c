/* Finds the kind of what operators make of their operands. Each waits until one that binds less tightly comes:
 * recursion would need stack space for each bracket. Source: C++17 standard, [expr.arith.conv], [expr.cond],
 * [expr.comma]. */
#include "kind_stack.h"

/* The usual arithmetic conversions. What is unknown and takes part in arithmetic with floats is taken for a number. */
static jr_value_kind join(jr_value_kind a, jr_value_kind b) {
    const jr_value_kind wider = a > b ? a : b, other = a > b ? b : a;
    if (other != JR_KIND_UNKNOWN) return wider;
    return wider >= JR_KIND_FLOAT ? JR_KIND_DOUBLE : JR_KIND_UNKNOWN;
}

void jr_kind_stack_push(jr_kind_stack *stack, jr_value_kind kind) {
    if (stack->kind_count >= JR_EXPRESSION_TOKENS || !stack->operand_due) {
        stack->failed = true;
        return;
    }
    stack->kinds[stack->kind_count++] = (unsigned char)kind;
    stack->operand_due = false;
}

static jr_value_kind pop(jr_kind_stack *stack) {
    if (stack->kind_count > 0) return (jr_value_kind)stack->kinds[--stack->kind_count];
    stack->failed = true;
    return JR_KIND_UNKNOWN;
}

void jr_kind_stack_wait(jr_kind_stack *stack, jr_kind_operator taken) {
    if (stack->waiting_count >= JR_EXPRESSION_TOKENS) {
        stack->failed = true;
        return;
    }
    taken.first = (unsigned short)stack->kind_count;
    stack->waiting[stack->waiting_count++] = taken;
    stack->operand_due = true;
}

static void apply(jr_kind_stack *stack, jr_kind_operator taken) {
    jr_value_kind kind = pop(stack);
    if (taken.action == JR_KINDS_JOIN || taken.action == JR_KINDS_CHOOSE) kind = join(pop(stack), kind);
    if (taken.action == JR_KINDS_COMPARE) {
        (void)pop(stack);
        kind = JR_KIND_INTEGER;
    }
    if (taken.action == JR_KINDS_CAST) kind = (jr_value_kind)taken.kind;
    stack->operand_due = true;
    jr_kind_stack_push(stack, kind);
}

/* The operator that has waited least; one that does nothing where none waits. */
static jr_kind_operator last(const jr_kind_stack *stack) {
    const jr_kind_operator nothing = {.action = JR_KINDS_KEEP, .binds = JR_BINDS_NOT};
    return stack->waiting_count > 0 ? stack->waiting[stack->waiting_count - 1] : nothing;
}

/* The turn of all that bind at least so tightly. */
static void apply_all(jr_kind_stack *stack, unsigned binds) {
    if (stack->operand_due) stack->failed = true;
    while (!stack->failed && last(stack).binds >= binds) apply(stack, stack->waiting[--stack->waiting_count]);
}

void jr_kind_stack_wait_between(jr_kind_stack *stack, jr_kind_action action, unsigned binds) {
    apply_all(stack, binds);
    jr_kind_stack_wait(stack, (jr_kind_operator){.action = (unsigned char)action, .binds = (unsigned char)binds});
}

static jr_value_kind kind_of_call(const jr_kind_stack *stack, jr_kind_operator call) {
    const unsigned char *given = &stack->kinds[call.first];
    const size_t count = stack->kind_count - call.first;
    jr_value_kind sum = count > 0 ? (jr_value_kind)given[0] : JR_KIND_UNKNOWN;
    bool floats = true;
    for (size_t i = 0; i < count; i++) {
        floats &= given[i] == JR_KIND_FLOAT;
        sum = join(sum, (jr_value_kind)given[i]);
    }
    switch ((jr_function_gives)call.gives) {
    case JR_GIVES_FLOATS: return floats ? JR_KIND_FLOAT : JR_KIND_DOUBLE;
    case JR_GIVES_FIRST: return count > 0 && given[0] == JR_KIND_FLOAT ? JR_KIND_FLOAT : JR_KIND_DOUBLE;
    case JR_GIVES_SUM: return sum;
    case JR_GIVES_INTEGER: return JR_KIND_INTEGER;
    case JR_GIVES_FLOAT: return JR_KIND_FLOAT;
    case JR_GIVES_DOUBLE: return JR_KIND_DOUBLE;
    case JR_GIVES_ANYTHING: break;
    }
    return JR_KIND_UNKNOWN;
}

/* A call without arguments has an operand that is still due. */
void jr_kind_stack_close(jr_kind_stack *stack) {
    const jr_kind_operator before = last(stack);
    const bool empty = stack->operand_due && before.action == JR_KINDS_CALL && before.first == stack->kind_count;
    if (!empty) apply_all(stack, JR_BINDS_ALL);
    const jr_kind_operator open = last(stack);
    if (open.action != JR_KINDS_OPEN && open.action != JR_KINDS_CALL) stack->failed = true;
    if (stack->failed) return;
    stack->waiting_count--;
    if (open.action == JR_KINDS_OPEN) return;
    const jr_value_kind kind = kind_of_call(stack, open);
    stack->kind_count = open.first;
    stack->operand_due = true;
    jr_kind_stack_push(stack, kind);
}

/* Except between arguments, only the value after the comma counts. */
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

void jr_kind_stack_choose(jr_kind_stack *stack) {
    apply_all(stack, JR_BINDS_ALL);
    if (stack->failed || last(stack).action != JR_KINDS_ASK) {
        stack->failed = true;
        return;
    }
    stack->waiting_count--;
    jr_kind_stack_wait(stack, (jr_kind_operator){.action = JR_KINDS_CHOOSE, .binds = JR_BINDS_CHOICE});
}

jr_value_kind jr_kind_stack_end(jr_kind_stack *stack) {
    apply_all(stack, JR_BINDS_ALL);
    const bool whole = !stack->failed && stack->waiting_count == 0 && stack->kind_count == 1;
    return whole ? (jr_value_kind)stack->kinds[0] : JR_KIND_UNKNOWN;
}
