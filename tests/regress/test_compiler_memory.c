/* NVRTC 13.0 read memory that it had freed when it compiled var by key in exact arithmetic with all optimisation: one
 * of four such compiles ended the process. Here a process of its own compiles it in which freed memory is overwritten
 * at once and addresses are the same each time: there every such compile ended it. */
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/fixtures/open_context.h"

static int compile(int unroll) {
    static const char *const architectures[] = {"compute_90"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    const jr_options options = JR_INIT(jr_options, .cache_dir = "", .compile_limit_ms = 300000);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT, .unroll = unroll);
    jr_pack *pack = NULL;
    jr_status status = jr_pack_create(&options, &how, &pack);
    if (status == JR_OK) status = jr_work_pack_add(pack, WORK(&spec, .layout = &layout));
    jr_pack_destroy(pack);
    return status == JR_OK ? 0 : 1;
}

/* Runs this program again, with a word that has it compile. */
static void begin_again(const char *unroll) {
    if (personality(ADDR_NO_RANDOMIZE) < 0) _exit(2);
    setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0:glibc.malloc.perturb=90", 1);
    execl("/proc/self/exe", "test_compiler_memory", unroll, (char *)NULL);
    _exit(3);
}

TEST(exact_sums_by_key_are_compiled_without_reading_what_was_freed) {
    int status = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) begin_again("4");
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) fail_msg("the compile was ended by signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv) {
    if (argc > 1) return compile((int)strtol(argv[1], NULL, 10));
    return check_run(NULL, NULL);
}
