/* Finds expressions of which a shell has taken a part: it parts words at blanks, replaces '*' by names of files, and
 * takes
 * '>' for a redirection. */
#include "slip_shell.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"

/* An expression of the command line; text NULL: it is not given. */
typedef struct given_expression {
    const char *option, *text;
} given_expression;

enum { EXPRESSIONS = 4 };

static void list(const cli_options *options, given_expression expressions[EXPRESSIONS]) {
    const jr_spec *spec = &options->spec;
    const given_expression all[EXPRESSIONS] = {
        {"map", spec->map}, {"where", spec->where}, {"finish", spec->finish}, {"combine", spec->combine}};
    memcpy(expressions, all, sizeof all);
}

/* A word that may stand in an expression and names no file: a sign with what follows it, or the letter of a variable.
 */
static bool may_be_part(const char *word) {
    if (word[0] == '\0' || strcmp(word, "-") == 0) return false;
    return strchr("+-*/<>=!&|?:%", word[0]) != NULL || (word[1] == '\0' && strchr("xyzwiabn", word[0]) != NULL);
}

cli_exit cli_slip_expression(const cli_options *options, const char *word, cli_error *error) {
    given_expression expressions[EXPRESSIONS];
    if (!may_be_part(word) || access(word, F_OK) == 0) return CLI_OK;
    list(options, expressions);
    for (int i = 0; i < EXPRESSIONS; i++)
        if (expressions[i].text != NULL)
            return cli_fail(error, CLI_USAGE,
                            "there is no file '%s'; if it belongs to the expression '%s', quotes hold that together: "
                            "--%s 'x * 2'",
                            word, expressions[i].text, expressions[i].option);
    return CLI_OK;
}

/* "3" of /home/me/3 and "=3" of /home/me/=3, where standard output is that file; NULL: it is another one. */
static const char *find_number(char path[PATH_MAX]) {
    struct stat status;
    double number;
    const ssize_t length = readlink("/proc/self/fd/1", path, PATH_MAX - 1);
    if (length < 0 || fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
    path[length] = '\0';
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *digits = name + (name[0] == '=');
    return cli_number_parse(JR_F64, digits, path + length, &number) == CLI_NUMBER_OK ? name : NULL;
}

void cli_slip_note_redirect(const cli_options *options) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *where = options->spec.where;
    char path[PATH_MAX];
    if (where == NULL || where[strspn(where, letters)] != '\0') return;
    const char *name = find_number(path);
    if (name == NULL) return;
    fprintf(
        stderr,
        "jitreduce: note: --where %s keeps what is not 0, and the result goes to the file '%s': a shell takes '>' for "
        "that; quotes keep it: --where '%s>%s'\n",
        where, name, where, name);
}
