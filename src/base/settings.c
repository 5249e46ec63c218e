/* Settings from the environment, by the list in settings.h. */
#include "settings.h"

#include <stdlib.h>

static const struct {
    const char *variable, *text;
} rows[] = {
#define SETTING_ROW(id, variable, text) {variable, text},
    JR_SETTINGS(SETTING_ROW)
#undef SETTING_ROW
};

const char *jr_setting_get(jr_setting setting) {
    /* secure: a set-user-id program must not load code from where its caller says */
    return secure_getenv(rows[setting].variable);
}

const char *jr_setting_variable(jr_setting setting) {
    return rows[setting].variable;
}

const char *jr_setting_text(jr_setting setting) {
    return rows[setting].text;
}
