/* Tunes a launch by children: one searches until it has found something, faults or hangs; the next one leaves out what
 * that was. */
#include "tune_launch.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli_clock.h"

/* PATIENCE: a child is taken to hang if it sends nothing for a minute and for so many times the duration of the first
 * setting. */
enum { EXCLUDED_MAX = 64, PATIENCE_S = 60, PATIENCE_TIMES = 100, SHOWN_FAILURES = 16 };

/* The messages of a child. */
typedef enum report_kind { REPORT_READY, REPORT_BEGIN, REPORT_END, REPORT_FOUND, REPORT_ERROR } report_kind;
typedef struct message {
    report_kind kind;
    cli_exit code; /* of REPORT_ERROR, with its text; status: the library's */
    jr_status status;
    bool simulated;             /* of REPORT_READY */
    jr_tunable_setting setting; /* of REPORT_BEGIN, REPORT_END */
    jr_tunable_found found;
    char text[1024];
} message;

typedef struct session {
    const cli_tuned_launch *launch;
    cli_tunable made;
    jr_tunable_setting excluded[EXCLUDED_MAX], last; /* last: the one that began last in this child; text "": none */
    size_t excluded_count;
    jr_tunable_setting failures[SHOWN_FAILURES];
    size_t failure_count;
    jr_tunable_found found;
    bool simulated;
    double begin_s;             /* of all children */
    double ready_s, patience_s; /* of the child that runs; patience_s 0: the parent waits without a limit */
} session;

/* ---- the child ---- */

static void send(int to, const message *sent) {
    const char *at = (const char *)sent;
    for (size_t left = sizeof *sent; left > 0;) {
        const ssize_t wrote = write(to, at, left);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) _exit(CLI_FAILURE); /* the parent is gone */
        at += wrote;
        left -= (size_t)wrote;
    }
}

static int report_progress(void *user, const jr_tunable_progress *progress) {
    const message report = {.kind = progress->begins ? REPORT_BEGIN : REPORT_END, .setting = *progress->setting};
    send(*(const int *)user, &report);
    return 0;
}

static void search(const session *it, int to) {
    static cli_error error;
    static message report;
    const cli_options *options = it->launch->options;
    jr_tunable_problem problem = JR_INIT(jr_tunable_problem);
    const double left_ms = (options->limit_s - (cli_now_s() - it->begin_s)) * 1e3;
    jr_tunable_options how = JR_INIT(jr_tunable_options, .excluded = it->excluded, .excluded_count = it->excluded_count,
                                     .progress = report_progress, .user = &to);
    jr_context *context = NULL;
    if (options->limit_s > 0) how.limit_ms = left_ms > 1 ? left_ms : 1;
    report.found.size = sizeof report.found;
    report.code = it->launch->open(it->launch->user, &context, &problem, &error);
    problem.sizes = it->made.sizes;
    if (report.code == CLI_OK) {
        report.kind = REPORT_READY;
        report.simulated = jr_context_is_simulated(context);
        send(to, &report);
        report.status = jr_tunable_tune(context, &it->made.tunable, &problem, &how, &report.found);
        report.code = report.status == JR_OK ? CLI_OK : cli_fail_library(&error, report.status);
    }
    report.kind = report.code == CLI_OK ? REPORT_FOUND : REPORT_ERROR;
    snprintf(report.text, sizeof report.text, "%.1000s", error.message);
    send(to, &report);
}

/* ---- the parent ---- */

/* Reads a message; false: the child has ended, or sent nothing in time (*hung). */
static bool receive(int from, double patience_s, message *report, bool *hung) {
    char *at = (char *)report;
    for (size_t left = sizeof *report; left > 0;) {
        struct pollfd waiting = {.fd = from, .events = POLLIN};
        const int ready = poll(&waiting, 1, patience_s > 0 ? (int)fmin(patience_s * 1e3, INT_MAX) : -1);
        if (ready < 0 && errno == EINTR) continue;
        *hung = ready == 0;
        if (ready <= 0) return false;
        const ssize_t got = read(from, at, left);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        left -= (size_t)got;
    }
    return true;
}

static void keep_failure(session *it, const jr_tunable_setting *setting) {
    for (size_t i = 0; i < it->failure_count; i++)
        if (strcmp(it->failures[i].text, setting->text) == 0) return;
    if (it->failure_count < SHOWN_FAILURES) it->failures[it->failure_count++] = *setting;
}

/* Notes what a message says. The simulator ends by itself what hangs, so that no patience is needed. Between READY and
 * the first BEGIN the child runs the preferred setting, whose duration sets the patience for the others. */
static void hear(session *it, const message *report) {
    if (report->kind == REPORT_READY) {
        it->simulated = report->simulated;
        it->ready_s = cli_now_s();
        it->patience_s = report->simulated ? 0 : PATIENCE_S;
    }
    if (report->kind == REPORT_BEGIN) {
        if (it->ready_s > 0 && !it->simulated) it->patience_s += PATIENCE_TIMES * (cli_now_s() - it->ready_s);
        it->ready_s = 0;
        it->last = report->setting;
    }
    if (report->kind == REPORT_END && report->setting.failure[0] != '\0') keep_failure(it, &report->setting);
}

/* Reads a child's messages until it is done, dies or hangs. */
static void listen(session *it, int from, message *last, bool *hung) {
    static message report;
    it->last.text[0] = '\0';
    it->patience_s = 0; /* nobody waits for a setting yet */
    *last = (message){.kind = REPORT_READY};
    while (last->kind < REPORT_FOUND && receive(from, it->patience_s, &report, hung)) {
        hear(it, &report);
        *last = report;
    }
}

/* From now on the setting that ended a child is excluded. */
static cli_exit exclude(session *it, const message *last, bool hung, int ended, cli_error *error) {
    jr_tunable_setting *one = &it->last;
    if (one->text[0] == '\0' || it->excluded_count == EXCLUDED_MAX)
        return cli_fail(error, CLI_FAILURE, "--tune: %s",
                        last->kind == REPORT_ERROR ? last->text : "the process that tunes has ended or hangs");
    if (hung)
        snprintf(one->failure, sizeof one->failure, "it did not end in %.0f seconds", it->patience_s);
    else if (last->kind == REPORT_ERROR)
        snprintf(one->failure, sizeof one->failure, "%.500s", last->text);
    else
        snprintf(one->failure, sizeof one->failure, "it ended the process by signal %d",
                 WIFSIGNALED(ended) ? WTERMSIG(ended) : 0);
    it->excluded[it->excluded_count++] = *one;
    keep_failure(it, one);
    return CLI_OK;
}

/* One child; *again: a setting ended it, which is excluded from now on. */
static cli_exit run_child(session *it, bool *again, cli_error *error) {
    static message last;
    int ends[2], ended = 0;
    bool hung = false;
    *again = false;
    fflush(NULL);
    if (pipe(ends) != 0) return cli_fail(error, CLI_FAILURE, "--tune: no pipe: %s", strerror(errno));
    const pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return cli_fail(error, CLI_FAILURE, "--tune: no process: %s", strerror(errno));
    }
    if (child == 0) {
        close(ends[0]);
        search(it, ends[1]);
        _exit(CLI_OK);
    }
    close(ends[1]);
    listen(it, ends[0], &last, &hung);
    close(ends[0]);
    if (last.kind < REPORT_FOUND) kill(child, SIGKILL);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) {
    }
    if (last.kind == REPORT_FOUND) {
        it->found = last.found;
        return CLI_OK;
    }
    if (last.kind == REPORT_ERROR && last.status != JR_ERROR_DEVICE_FAULT)
        return cli_fail(error, last.code, "%s", last.text);
    *again = true;
    return exclude(it, &last, hung, ended, error);
}

/* "-D BLOCK=256 -D UF=4" */
static void print_defines(const session *it, const jr_tunable_setting *setting) {
    for (size_t p = 0; p < it->made.tunable.parameter_count; p++)
        printf("%s-D %s=%lld", p > 0 ? " " : "", it->made.tunable.parameters[p].name, (long long)setting->values[p]);
}

static void print_found(const session *it) {
    const jr_tunable_found *found = &it->found;
    const char *simulated = it->simulated ? ", on the simulator: it says nothing of a GPU" : "";
    printf("settings: %llu measured, %llu failed%s\n", (unsigned long long)found->measured + 1,
           (unsigned long long)found->failed, found->complete ? "" : "; the time was over before all were tried");
    for (size_t i = 0; i < it->failure_count; i++)
        printf("failed: %s: %s\n", it->failures[i].text, it->failures[i].failure);
    printf("first: %s: %.3f us%s\n", found->preferred.text, found->preferred.us, simulated);
    if (!found->better) {
        puts("no setting is surely faster");
        return;
    }
    printf("best: %s: %.3f us, %.3f times as fast: ", found->best.text, found->best.us, found->best.gain);
    print_defines(it, &found->best);
    putchar('\n');
}

cli_exit cli_tune_launch(const cli_tuned_launch *launch, cli_error *error) {
    bool again = true;
    cli_exit code = CLI_OK;
    session *it = calloc(1, sizeof *it);
    if (it == NULL) return cli_fail(error, CLI_FAILURE, "--tune: out of memory");
    it->launch = launch;
    it->begin_s = cli_now_s();
    cli_tunable_make(&it->made, launch);
    while (code == CLI_OK && again) code = run_child(it, &again, error);
    if (code == CLI_OK) print_found(it);
    free(it);
    return code;
}
