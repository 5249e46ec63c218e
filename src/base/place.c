/* Chooses places. */
#include "place.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const jr_place_rule jr_place_rule_of_cache = {.noun = "folder",
                                              .setting = JR_SETTING_CACHE_DIR,
                                              .setting_origin = "setting JITREDUCE_CACHE_DIR",
                                              .xdg = JR_SETTING_XDG_CACHE_HOME,
                                              .below_xdg = "jitreduce",
                                              .below_home = ".cache/jitreduce"};

void jr_place_off(jr_place *place, const char *reason) {
    *place->path = '\0';
    snprintf(place->reason, sizeof place->reason, "%s", reason);
}

static void too_long(const jr_place_rule *rule, const char *before, jr_place *place) {
    char reason[128];
    snprintf(reason, sizeof reason, "%sthe %s's path is too long", before, rule->noun);
    jr_place_off(place, reason);
}

static void take_wish(const jr_place_rule *rule, const char *origin, const char *wish, jr_place *place) {
    char current[PATH_MAX];
    place->origin = origin;
    if (!*wish)
        jr_place_off(place, "turned off");
    else if (*wish == '/') {
        if (strlen(wish) < JR_PATH_BYTES)
            memcpy(place->path, wish, strlen(wish) + 1);
        else
            too_long(rule, "", place);
    } else if (!getcwd(current, sizeof current) || !jr_path_join(place->path, current, wish))
        too_long(rule, "the working directory was removed, or ", place);
}

static bool take_below(const char *origin, const char *parent, const char *below, jr_place *place) {
    /* The XDG specification has relative paths ignored. */
    if (!parent || *parent != '/' || !jr_path_join(place->path, parent, below)) return false;
    place->origin = origin;
    return true;
}

void jr_place_of(const jr_place_rule *rule, const char *wish, jr_place *place) {
    *place = (jr_place){.origin = "none"};
    const char *setting = jr_setting_get(rule->setting);
    const char *xdg = jr_setting_get(rule->xdg), *home = jr_setting_get(JR_SETTING_HOME);
    if (wish)
        take_wish(rule, "option", wish, place);
    else if (setting)
        take_wish(rule, rule->setting_origin, setting, place);
    else if (!take_below(jr_setting_variable(rule->xdg), xdg, rule->below_xdg, place) &&
             !take_below("HOME", home, rule->below_home, place)) {
        char reason[128];
        snprintf(reason, sizeof reason, "HOME is not set to an absolute path; name a %s in %s", rule->noun,
                 jr_setting_variable(rule->setting));
        jr_place_off(place, reason);
    }
}
