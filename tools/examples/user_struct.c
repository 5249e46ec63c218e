/* Elements of a struct of your own, combined by an expression: the box around a set of boxes.
 *
 * cc user_struct.c $(pkg-config --cflags --libs jitreduce)
 *
 * Prints:
 * from (-2, 0) to (5, 7)
 */
#include <jitreduce.h>
#include <stdio.h>

typedef struct box {
    float left, low, right, high;
} box;

/* The same struct for the kernel, with a function for the expression below. */
static const char source[] =
    "struct box { float left, low, right, high; };\n"
    "static __device__ box around(box a, box b) {\n"
    "    return {fminf(a.left, b.left), fminf(a.low, b.low), fmaxf(a.right, b.right), fmaxf(a.high, b.high)};\n"
    "}\n"
    "static __device__ box nothing() { return {INFINITY, INFINITY, -INFINITY, -INFINITY}; }\n";

int main(void) {
    static const box boxes[] = {{0, 1, 2, 3}, {-2, 4, 1, 7}, {3, 0, 5, 2}};
    const jr_options options = JR_INIT(jr_options, .device = "auto");
    const jr_structure structure =
        JR_INIT(jr_structure, .name = "box", .source = source, .bytes = sizeof(box), .alignment = _Alignof(box));
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &structure,
                                 .combine = "around(a, b)", .identity = "nothing()", .commutative = 1);
    jr_context *context = NULL;
    jr_value value;
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = jr_reduce_host(context, &spec, boxes, sizeof boxes / sizeof boxes[0], &value);
    jr_context_close(context);
    if (status != JR_OK) return fprintf(stderr, "%s\n%s", jr_last_error()->message, jr_last_error()->log), 1;
    const box *all = (const box *)(const void *)value.as.bytes;
    printf("from (%g, %g) to (%g, %g)\n", (double)all->left, (double)all->low, (double)all->right, (double)all->high);
    return 0;
}
