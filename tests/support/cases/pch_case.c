/* Compiles programs in processes of their own. */
#include "pch_case.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

pch_compiled *pch_shared;
char pch_header[PCH_HEADER_BYTES];

const char pch_source[] = "// a kernel\n#include \"big.h\"\n__global__ void k(int *o) { *o = big(A_VALUE) + 1; }\n";
const char pch_other[] =
    "// a kernel\n#include \"big.h\"\n__global__ void k(int *o) {\n  o[1] = big(*o) - A_VALUE; }\n";

int pch_begin(void **state) {
    pch_shared =
        mmap(NULL, PCH_PROCESSES * sizeof *pch_shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pch_shared == MAP_FAILED) return -1;
    memset(pch_shared, 0, PCH_PROCESSES * sizeof *pch_shared);
    int length = snprintf(pch_header, sizeof pch_header, "__device__ inline int big(int x) { return x + 42; }\n/*");
    memset(pch_header + length, '.', sizeof pch_header - (size_t)length - 4);
    snprintf(pch_header + sizeof pch_header - 4, 4, "*/\n");
    return scratch_begin(state);
}

int pch_end(void **state) {
    munmap(pch_shared, PCH_PROCESSES * sizeof *pch_shared);
    return scratch_end(state);
}

/* ---- one process ---- */

static void count_lines(void *user, jr_log_level level, const char *line) {
    pch_compiled *self = user;
    int major = 0, minor = 0;
    (void)level;
    if (sscanf(line, "NVRTC %d.%d, build", &major, &minor) == 2) /* NOLINT(cert-err34-c): our own line */
        self->ready = major * 100 + minor >= 1208;
    self->made += strstr(line, "precompiled headers: made ") != NULL;
    self->begun += strstr(line, "precompiled headers: began with ") != NULL;
    self->read += strstr(line, "precompiled headers: reading all of ") != NULL;
    self->dropped += strstr(line, "dropping a damaged precompiled header") != NULL;
}

static void digest_image(pch_compiled *self, const jr_image *image) {
    jr_digest digest;
    size_t bytes = 0;
    const void *cubin = jr_image_cubin(image, &bytes);
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "ptx", jr_image_ptx(image));
    jr_digest_field(&digest, "cubin", cubin, bytes);
    jr_digest_end(&digest, self->image);
}

static void compile(pch_compiled *self, const char *folder) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = folder);
    jr_image *image = NULL;
    self->status = jr_image_compile(&options, &self->program, "sm_90", &image);
    if (self->status == JR_OK) digest_image(self, image);
    if (self->status != JR_OK) snprintf(self->message, sizeof self->message, "%s", jr_last_error()->message);
    if (self->status != JR_OK) snprintf(self->log, sizeof self->log, "%s", jr_last_error()->log);
    jr_image_destroy(image);
}

static void compile_all(pch_compiled *self, const char *folder) {
    const struct rlimit limit = {(rlim_t)64 << 30, (rlim_t)64 << 30};
    char text[512];
    if (self->bytes != NULL) setenv("JITREDUCE_PCH_BYTES", self->bytes, 1);
    if (self->moved_bytes > 0)
        (void)!mmap(NULL, self->moved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (self->limited) setrlimit(RLIMIT_AS, &limit);
    jr_log_set(count_lines, self);
    compile(self, folder);
    for (int i = 0; i < self->more; i++) {
        snprintf(text, sizeof text, "%s// %d\n__device__ int more%d;\n", self->program.source, i, i);
        pch_compiled next = *self;
        self->program.source = text;
        compile(self, folder);
        self->program = next.program;
    }
}

pid_t pch_process_begin(pch_compiled *self, const char *folder) {
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        compile_all(self, folder);
        _exit(0);
    }
    return child;
}

void pch_process_end(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A program with the large header, and one constant. */
pch_compiled *pch_asked(int index, const char *text) {
    static const jr_named_text constant = {"A_VALUE", "7"};
    static jr_named_text headers[1];
    headers[0] = (jr_named_text){"big.h", pch_header};
    pch_shared[index] = (pch_compiled){.program = JR_INIT(jr_program, .name = "precompiled", .source = text,
                                                          .entry = "k", .constants = &constant, .constant_count = 1,
                                                          .headers = headers, .header_count = 1)};
    return &pch_shared[index];
}

pch_compiled *pch_run(pch_compiled *self) {
    pch_process_end(pch_process_begin(self, scratch_own));
    return self;
}

void pch_make_one(void) {
    const pch_compiled *first = pch_run(pch_asked(0, pch_source));
    assert_int_equal(first->status, JR_OK);
    if (!first->ready) {
        print_message("NVRTC before 12.8 has no precompiled headers\n");
        skip();
    }
    assert_int_equal(first->made, 1);
}

void pch_assert_same_image(const pch_compiled *self) {
    pch_compiled *plain = &pch_shared[PCH_PROCESSES - 1];
    char folder[SCRATCH_BYTES];
    scratch_make(folder);
    *plain = (pch_compiled){.program = self->program, .bytes = "0"};
    pch_process_end(pch_process_begin(plain, folder));
    scratch_remove(folder);
    assert_int_equal(plain->status, JR_OK);
    assert_int_equal(plain->made + plain->begun, 0);
    assert_int_equal(self->status, JR_OK);
    assert_memory_equal(self->image, plain->image, JR_DIGEST_BYTES);
}

int pch_files(char path[2 * SCRATCH_BYTES]) {
    int count = 0;
    DIR *stream = opendir(scratch_path(scratch_own, "pch"));
    path[0] = '\0';
    if (stream == NULL) return 0;
    for (const struct dirent *item = readdir(stream); item != NULL; item = readdir(stream)) {
        if (strstr(item->d_name, ".pch") == NULL) continue;
        snprintf(path, 2 * SCRATCH_BYTES, "%s/pch/%s", scratch_own, item->d_name);
        count++;
    }
    closedir(stream);
    return count;
}

void pch_assert_none(pch_compiled *self) {
    char path[2 * SCRATCH_BYTES];
    pch_run(self);
    assert_int_equal(self->status, JR_OK);
    assert_int_equal(self->made + self->begun, 0);
    assert_int_equal(pch_files(path), 0);
}

void pch_put(char *at, const char *text) {
    while (*text != '\0') *at++ = *text++;
}
