/* Decides which definition of a name stays, and writes the statements that stay. */
#include "merge_ptx.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ptx_module_text.h"

typedef struct merge {
    jr_ptx_module_text *modules;
    size_t count;
    jr_text *out;
} merge;

/* What the device itself has. Source: CUDA C++ Programming Guide, "Formatted Output", "Dynamic Global Memory
 * Allocation"; PTX Writer's Guide to Interoperability, "System Calls". */
static bool is_of_device(jr_ptx_span name) {
    static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (jr_ptx_is(name, names[i])) return true;
    return false;
}

/* ---- names ---- */

/* The definition of a name that other parts see and that stays: the first that is not weak, else the first. */
static const jr_ptx_statement *find_kept(const merge *it, jr_ptx_span name, const jr_ptx_module_text **of) {
    const jr_ptx_statement *kept = NULL;
    for (size_t m = 0; m < it->count; m++)
        for (size_t i = 0; i < it->modules[m].count; i++) {
            const jr_ptx_statement *found = &it->modules[m].statements[i];
            if (!found->is_defined || found->linkage < JR_PTX_WEAK || !jr_ptx_same(found->name, name)) continue;
            if (kept != NULL && (kept->linkage == JR_PTX_VISIBLE || found->linkage == JR_PTX_WEAK)) continue;
            kept = found;
            if (of != NULL) *of = &it->modules[m];
        }
    return kept;
}

/* Does another part have the name, or this part as one that others see? */
static bool is_taken(const merge *it, size_t own, jr_ptx_span name) {
    for (size_t m = 0; m < it->count; m++)
        for (size_t i = 0; m != own && i < it->modules[m].count; i++)
            if (jr_ptx_same(it->modules[m].statements[i].name, name)) return true;
    return false;
}

static jr_status check_names(const merge *it, const jr_ptx_module_text *module) {
    for (size_t i = 0; i < module->count; i++) {
        const jr_ptx_statement *found = &module->statements[i];
        const jr_ptx_module_text *of = NULL;
        const int length = (int)found->name.bytes;
        if (found->name.at == NULL || found->linkage == JR_PTX_LOCAL || found->linkage == JR_PTX_WEAK) continue;
        const jr_ptx_statement *kept = find_kept(it, found->name, &of);
        if (found->linkage == JR_PTX_VISIBLE && found->is_defined && kept != found)
            return jr_fail(JR_ERROR_COMPILE, "%s and %s both define %.*s: one definition may stay", of->name,
                           module->name, length, found->name.at);
        if (found->linkage == JR_PTX_EXTERN && kept == NULL && !found->is_shared && !is_of_device(found->name))
            return jr_fail(JR_ERROR_COMPILE, "%s uses %.*s, which no part defines", module->name, length,
                           found->name.at);
    }
    return JR_OK;
}

/* ---- writing ---- */

/* The local names of a part that are renamed. */
typedef struct renames {
    jr_ptx_span *names;
    size_t count, part;
} renames;

static bool is_renamed(const renames *of, jr_ptx_span word) {
    for (size_t i = 0; i < of->count; i++)
        if (jr_ptx_same(of->names[i], word)) return true;
    return false;
}

static jr_status find_renames(const merge *it, size_t part, renames *made) {
    const jr_ptx_module_text *module = &it->modules[part];
    *made = (renames){.names = calloc(module->count + 1, sizeof *made->names), .part = part};
    if (made->names == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to link %s", module->name);
    for (size_t i = 0; i < module->count; i++) {
        const jr_ptx_statement *found = &module->statements[i];
        if (found->linkage != JR_PTX_LOCAL || found->name.at == NULL || found->is_kernel) continue;
        if (is_taken(it, part, found->name)) made->names[made->count++] = found->name;
    }
    return JR_OK;
}

/* Writes text without .loc lines, its renamed words with the part's number. */
static void write_text(const merge *it, const renames *renamed, jr_ptx_span text) {
    const char *at = text.at, *end = text.at + text.bytes, *written = at;
    for (jr_ptx_span word; (word = jr_ptx_word(&at, end)).at != NULL;) {
        if (jr_ptx_is(word, ".loc")) {
            jr_text_append_bytes(it->out, written, (size_t)(word.at - written));
            while (at < end && *at != '\n') at++;
            written = at;
        } else if (is_renamed(renamed, word) && !(at < end && *at == '.')) { /* an instruction is followed by a dot */
            jr_text_append_bytes(it->out, written, (size_t)(at - written));
            jr_text_append(it->out, "$part%zu", renamed->part);
            written = at;
        }
    }
    jr_text_append_bytes(it->out, written, (size_t)(end - written));
}

static void write_statement(const merge *it, const renames *renamed, const jr_ptx_statement *statement) {
    static const char *const words[] = {"", ".extern ", ".weak ", ".visible "};
    jr_text_append(it->out, "%s", words[statement->linkage]);
    write_text(it, renamed, statement->text);
    jr_text_append(it->out, "\n");
}

/* Declares a function whose definition follows. */
static void declare(const merge *it, const jr_ptx_statement *kept) {
    jr_text_append(it->out, "%s", kept->linkage == JR_PTX_WEAK ? ".weak " : ".visible ");
    jr_text_append_bytes(it->out, kept->prototype.at, kept->prototype.bytes);
    jr_text_append(it->out, ";\n");
}

static bool is_first(const merge *it, const jr_ptx_statement *statement) {
    for (size_t m = 0; m < it->count; m++)
        for (size_t i = 0; i < it->modules[m].count; i++) {
            const jr_ptx_statement *found = &it->modules[m].statements[i];
            if (found == statement) return true;
            if (found->linkage == JR_PTX_EXTERN && jr_ptx_same(found->name, statement->name)) return false;
        }
    return true;
}

typedef enum turn { DECLARATIONS, VARIABLES, REST } turn;

/* Writes what a statement gives in this turn: functions that parts share are declared first, then come the variables
 * that they share, then everything in its order. */
static void write_in_turn(const merge *it, turn now, const renames *renamed, const jr_ptx_statement *statement) {
    const bool global = statement->linkage != JR_PTX_LOCAL && statement->name.at != NULL;
    const jr_ptx_statement *kept = global ? find_kept(it, statement->name, NULL) : statement;
    const bool function = global && statement->is_function && !statement->is_kernel;
    const bool early = global && (function ? !statement->is_defined : true) && !statement->is_kernel;
    if (now == DECLARATIONS && function && kept == statement) declare(it, kept);
    if (now == DECLARATIONS && function && kept == NULL && is_first(it, statement))
        write_statement(it, renamed, statement);
    if (now == VARIABLES && early && !function && (kept == statement || (kept == NULL && is_first(it, statement))))
        write_statement(it, renamed, statement);
    if (now == REST && !early && kept == statement) write_statement(it, renamed, statement);
}

static jr_status write_all(const merge *it, turn now) {
    for (size_t m = 0; m < it->count; m++) {
        renames renamed;
        JR_TRY(find_renames(it, m, &renamed));
        for (size_t i = 0; i < it->modules[m].count; i++)
            write_in_turn(it, now, &renamed, &it->modules[m].statements[i]);
        free(renamed.names);
    }
    return JR_OK;
}

static jr_status write_head(const merge *it, int target) {
    const int *version = it->modules[0].version;
    for (size_t m = 0; m < it->count; m++) {
        const jr_ptx_module_text *module = &it->modules[m];
        if (module->target > target)
            return jr_fail(JR_ERROR_COMPILE, "%s is PTX for sm_%d, and compute_%d is linked", module->name,
                           module->target, target);
        if (module->version[0] > version[0] || (module->version[0] == version[0] && module->version[1] > version[1]))
            version = module->version;
    }
    jr_text_append(it->out, ".version %d.%d\n.target sm_%d\n.address_size 64\n", version[0], version[1], target);
    return JR_OK;
}

static jr_status merge_all(const merge *it, int target) {
    for (size_t m = 0; m < it->count; m++) JR_TRY(check_names(it, &it->modules[m]));
    JR_TRY(write_head(it, target));
    JR_TRY(write_all(it, DECLARATIONS));
    JR_TRY(write_all(it, VARIABLES));
    JR_TRY(write_all(it, REST));
    return jr_text_failed(it->out) ? jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to link PTX") : JR_OK;
}

jr_status jr_merge_ptx(const jr_link_part *parts, size_t count, int target, jr_text *merged) {
    merge it = {.modules = calloc(count, sizeof *it.modules), .out = merged};
    jr_status status = it.modules != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to link PTX");
    for (; status == JR_OK && it.count < count; it.count++)
        status = jr_ptx_module_text_read(&parts[it.count], &it.modules[it.count]);
    if (status == JR_OK) status = merge_all(&it, target);
    for (size_t m = 0; m < it.count; m++) jr_ptx_module_text_free(&it.modules[m]);
    free(it.modules);
    return status;
}
