/* A program of MPI ranks: each has two simulated devices and a part of 0, 1, 2, ...; every rank gets the same values.
 */
#include <stdio.h>
#include <stdlib.h>

#include <jitreduce.h>
#include <jitreduce/mpi.h>

enum { EACH = 10007, DEVICES = 2 };

static int check(jr_status status, const char *what) {
    if (status == JR_OK) return 0;
    fprintf(stderr, "%s: %s\n", what, jr_last_error()->message);
    return 1;
}

/* The sum of all, and where the greatest one is. */
static int reduce(jr_group *group, int ranks, jr_value *values) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_ARGMAX};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_I32);
    jr_group_plan *plan = NULL;
    void *d_in[DEVICES];
    const void *arrays[DEVICES];
    const void *const *of_devices[DEVICES];
    uint64_t counts[DEVICES];
    int32_t numbers[EACH];
    int failed = check(jr_work_group_plan_create(group, &JR_INIT(jr_work, .spec = &spec), &plan), "plan");
    for (size_t i = 0; !failed && i < DEVICES; i++) {
        const size_t place = jr_group_first(group) + i;
        for (int k = 0; k < EACH; k++) numbers[k] = (int32_t)(place * EACH) + k;
        failed = check(jr_memory_new(jr_group_context(group, i), sizeof numbers, &d_in[i]), "memory") ||
                 check(jr_memory_write(jr_group_context(group, i), d_in[i], numbers, sizeof numbers), "memory");
        arrays[i] = d_in[i];
        of_devices[i] = &arrays[i];
        counts[i] = EACH;
    }
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = of_devices, .counts = counts, .values = values);
    if (!failed) failed = check(jr_work_group_plan_run(plan, &parts), "value");
    jr_group_plan_destroy(plan);
    const int64_t all = (int64_t)ranks * DEVICES * EACH;
    if (!failed && (values[0].as.i64 != all * (all - 1) / 2 || values[1].as.i64 != all - 1)) failed = 1;
    return failed;
}

int main(int argc, char **argv) {
    jr_group_options options = JR_INIT(jr_group_options, .devices = "sim:2");
    jr_group *group = NULL;
    jr_value values[2];
    int failed = 1, provided = 0;
    MPI_Comm own;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (argc > 1 && provided >= MPI_THREAD_SERIALIZED) options.wait_limit_ms = strtod(argv[1], NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    if (jr_mpi_options(&own, &options) == MPI_SUCCESS && !check(jr_group_open(&options, &group), "group"))
        failed = reduce(group, options.ranks, values);
    jr_group_close(group);
    if (!failed && options.rank == 0)
        printf("%d ranks: sum %lld, argmax %lld\n", options.ranks, (long long)values[0].as.i64,
               (long long)values[1].as.i64);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return failed;
}
