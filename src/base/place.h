/* Places: where something of ours lies in the file system: the caller's wish, else a setting, else below the user's. */
#ifndef JR_BASE_PLACE_H
#define JR_BASE_PLACE_H

#include "files.h"
#include "settings.h"

/* What there is a place for. */
typedef struct jr_place_rule {
    const char *noun; /* "folder" */
    jr_setting setting;
    const char *setting_origin; /* "setting JITREDUCE_CACHE_DIR" */
    jr_setting xdg;             /* its parent by the XDG specification */
    const char *below_xdg;      /* "jitreduce" */
    const char *below_home;     /* ".cache/jitreduce" */
} jr_place_rule;

/* The disk cache. */
extern const jr_place_rule jr_place_rule_of_cache;

typedef struct jr_place {
    const char *origin;       /* "option", the rule's setting_origin, "XDG_CACHE_HOME", "HOME", "none"; static */
    char path[JR_PATH_BYTES]; /* "" when no place is found */
    char reason[1024];        /* why no place is found, else "" */
} jr_place;

/* Chooses, touching nothing. wish: NULL: the setting, else the user's folders; "": none. A relative path is fixed to
 * the present working directory. */
void jr_place_of(const jr_place_rule *rule, const char *wish, jr_place *place);

/* Leaves the place empty. */
void jr_place_off(jr_place *place, const char *reason);

#endif
