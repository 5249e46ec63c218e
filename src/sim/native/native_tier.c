/* When kernels are compiled. A kernel that has run for some 20 ms looks for code in this process and in the disk cache;
 * one that has run for half a second asks for a compile. One thread compiles, one kernel after the other, and ends when
 * no kernel waits. Code stays until the process ends; modules may come and go. */
#include "native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/own_thread.h"
#include "native_compile.h"
#include "native_store.h"
#include "native_translate.h"

enum { LOOK_STEPS = 1 << 20, COMPILE_STEPS = 30 << 20, TELL_STEPS = 1 << 14 };

typedef enum code_state { CODE_KNOWN, CODE_ASKED, CODE_READY, CODE_FAILED } code_state;

/* The code of one text. */
typedef struct jrs_native_code {
    struct jrs_native_code *next;
    struct jrs_native_code *next_asked;
    uint8_t key[JR_DIGEST_BYTES];
    char *text; /* until it is compiled */
    _Atomic code_state state;
    jrs_native_run *run; /* when it is ready */
} jrs_native_code;

static struct {
    pthread_mutex_t mutex;
    jrs_native_code *all, *asked, **asked_end;
    pthread_t thread;
    bool begun;   /* there is a thread to be joined */
    bool working; /* and it has not come to its end */
    pid_t process;
    jrs_native_told told;
} tier = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* What a function has that is not translated. */
static jrs_native_code none = {.state = CODE_FAILED};

static void count(uint32_t *which, const char *why) {
    pthread_mutex_lock(&tier.mutex);
    ++*which;
    if (why) snprintf(tier.told.why, sizeof tier.told.why, "%s", why);
    pthread_mutex_unlock(&tier.mutex);
}

void jrs_native_tell(jrs_native_told *told) {
    pthread_mutex_lock(&tier.mutex);
    *told = tier.told;
    pthread_mutex_unlock(&tier.mutex);
}

/* ---- compiling ---- */

static void finish(jrs_native_code *code, jrs_native_run *run) {
    code->run = run;
    free(code->text);
    code->text = NULL;
    atomic_store(&code->state, run ? CODE_READY : CODE_FAILED);
}

static void compile(jrs_native_code *code) {
    char why[JRS_NATIVE_WHY_BYTES] = "there is no C compiler";
    jrs_native_run *run = NULL;
    size_t bytes = 0;
    const char *compiler = jrs_native_compiler();
    void *library = compiler ? jrs_native_compile(compiler, code->text, &bytes, why) : NULL;
    if (library) run = jrs_native_load(library, bytes, why);
    if (run) jrs_native_store_write(code->key, library, bytes);
    free(library);
    count(run ? &tier.told.compiled : &tier.told.failed, run ? NULL : why);
    finish(code, run);
}

static void *compile_asked(void *user) {
    (void)user;
    for (;;) {
        pthread_mutex_lock(&tier.mutex);
        jrs_native_code *code = tier.asked;
        if (code) tier.asked = code->next_asked;
        tier.working = code != NULL;
        pthread_mutex_unlock(&tier.mutex);
        if (!code) return NULL;
        compile(code);
    }
}

/* A process that was forked has no thread of its parent's. */
static void begin_thread(void) {
    if (tier.begun && tier.process == getpid()) {
        if (tier.working) return;
        pthread_join(tier.thread, NULL);
    }
    tier.process = getpid();
    tier.begun = tier.working = jr_own_thread_begin(&tier.thread, NULL, compile_asked, NULL) == 0;
}

static void ask(jrs_native_code *code) {
    code_state known = CODE_KNOWN;
    if (!atomic_compare_exchange_strong(&code->state, &known, CODE_ASKED)) return;
    pthread_mutex_lock(&tier.mutex);
    jrs_native_code **end = &tier.asked;
    while (*end) end = &(*end)->next_asked;
    *end = code;
    begin_thread();
    pthread_mutex_unlock(&tier.mutex);
}

/* The process ends, or the simulator is unloaded: nobody waits for a compile. */
__attribute__((destructor)) static void end(void) {
    if (!tier.begun || tier.process != getpid()) return;
    pthread_mutex_lock(&tier.mutex);
    tier.asked = NULL;
    pthread_mutex_unlock(&tier.mutex);
    jrs_native_stop();
    pthread_join(tier.thread, NULL);
}

/* ---- finding ---- */

static jrs_native_code *known(const uint8_t key[JR_DIGEST_BYTES]) {
    jrs_native_code *code = tier.all;
    while (code && memcmp(code->key, key, JR_DIGEST_BYTES) != 0) code = code->next;
    return code;
}

/* The code of a text, which becomes its own. */
static jrs_native_code *enter(const uint8_t key[JR_DIGEST_BYTES], char *text) {
    pthread_mutex_lock(&tier.mutex);
    jrs_native_code *code = known(key);
    jrs_native_code *made = code ? NULL : calloc(1, sizeof *made);
    if (made) {
        *made = (jrs_native_code){.next = tier.all, .text = text};
        memcpy(made->key, key, JR_DIGEST_BYTES);
        tier.all = made;
    }
    pthread_mutex_unlock(&tier.mutex);
    if (!made) free(text);
    return made ? made : code ? code : &none;
}

static void read_stored(jrs_native_code *code) {
    code_state expected = CODE_KNOWN;
    char why[JRS_NATIVE_WHY_BYTES];
    size_t bytes = 0;
    void *library = jrs_native_store_read(code->key, &bytes);
    jrs_native_run *run = library ? jrs_native_load(library, bytes, why) : NULL;
    free(library);
    if (!run || !atomic_compare_exchange_strong(&code->state, &expected, CODE_ASKED)) return;
    count(&tier.told.found, NULL);
    finish(code, run);
}

static jrs_native_code *find(const jrs_function *function) {
    jrs_native_counts counts;
    jr_text text = {0};
    uint8_t key[JR_DIGEST_BYTES];
    jr_digest digest;
    const char *compiler = jrs_native_compiler();
    if (!compiler || !jrs_native_translate(&text, function, &counts)) {
        count(&tier.told.failed, compiler ? "the kernel is too large" : "there is no C compiler");
        jr_text_free(&text);
        return &none;
    }
    jr_digest_begin(&digest);
    jrs_native_digest_compiler(&digest, compiler);
    jr_digest_field(&digest, "text", text.data, text.length);
    jr_digest_end(&digest, key);
    jrs_native_code *code = enter(key, jr_text_take(&text));
    if (atomic_load(&code->state) == CODE_KNOWN) read_stored(code);
    return code;
}

/* ---- launches ---- */

/* What is mutable of a function, which is immutable for all others. */
static jrs_function *mutable_of(const jrs_run *run) {
    return (jrs_function *)(uintptr_t)run->function;
}

static void take(jrs_run *run, jrs_native_code *code) {
    if (atomic_load(&code->state) == CODE_READY) atomic_store_explicit(&run->native, code->run, memory_order_release);
}

bool jrs_native_begin(jrs_run *run, jrs_report *report) {
    jrs_function *function = mutable_of(run);
    if (run->launch->native == JRS_NATIVE_OFF) return true;
    jrs_native_code *code = atomic_load(&function->native);
    if (run->launch->native == JRS_NATIVE_ONLY && !code) {
        code = find(function);
        atomic_store(&function->native, code);
    }
    if (code) take(run, code);
    if (run->launch->native != JRS_NATIVE_ONLY) return true;
    ask(code);
    while (atomic_load(&code->state) == CODE_ASKED) usleep(1000);
    take(run, code);
    if (atomic_load(&run->native)) return true;
    jrs_native_told told;
    jrs_native_tell(&told);
    report->error = 1;
    snprintf(report->message, sizeof report->message, "launch of kernel %s: it is not compiled: %.300s", function->name,
             told.why);
    return false;
}

void jrs_native_look(jrs_worker *worker) {
    jrs_run *run = worker->run;
    jrs_function *function = mutable_of(run);
    if (worker->steps < TELL_STEPS || run->launch->native != JRS_NATIVE_ON ||
        atomic_load_explicit(&run->native, memory_order_relaxed))
        return;
    const uint64_t steps = worker->steps, before = atomic_fetch_add(&function->native_steps, steps);
    worker->steps = 0;
    if (before + steps < LOOK_STEPS) return;
    jrs_native_code *code = atomic_load(&function->native);
    if (!code && before < LOOK_STEPS) { /* one worker crosses the line */
        code = find(function);
        atomic_store(&function->native, code);
    }
    if (!code) return;
    if (before + steps >= COMPILE_STEPS) ask(code);
    take(run, code);
}
