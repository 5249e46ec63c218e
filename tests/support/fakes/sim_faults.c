/* Implements sim_faults.h. */
#include "sim_faults.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"

static const char OLD_REASON[] = "an old reason";

sim_faults sim_faults_of(void *library) {
    sim_faults faults = {.refuse = NULL};
    *(void **)&faults.refuse = dlsym(library, "jrsim_fail");
    *(void **)&faults.live = dlsym(library, "jrsim_live");
    assert_non_null(faults.refuse);
    assert_non_null(faults.live);
    return faults;
}

sim_alive sim_faults_alive(const sim_faults *faults) {
    static const char *const kinds[SIM_FAULTS_KINDS] = {"memory", "host",   "modules", "streams",
                                                        "events", "graphs", "contexts"};
    sim_alive alive;
    for (int i = 0; i < SIM_FAULTS_KINDS; i++) alive.counts[i] = faults->live(kinds[i]);
    return alive;
}

void sim_faults_compare(const sim_faults *faults, const sim_alive *before, const char *call) {
    const sim_alive after = sim_faults_alive(faults);
    if (memcmp(&after, before, sizeof after) != 0) fail_msg("a failing %s leaks", call);
}

void sim_faults_forget(void) {
    (void)jr_fail(JR_OK, "%s", OLD_REASON);
}

bool sim_faults_failed(jr_status status, const char *call) {
    if (status == JR_OK) return false;
    const jr_error *error = jr_last_error();
    if (error->status != status || error->message[0] == '\0' || strstr(error->message, OLD_REASON) != NULL)
        fail_msg("%s failed with %s, but the reason is '%s'", call, jr_status_name(status), error->message);
    sim_faults_forget();
    return true;
}
