/* Makes programs of choices. */
#include "programs.h"

#include <stdio.h>
#include <string.h>

#include "base/settings.h"
#include "program/constants.h"
#include "program/sources.h"
#include "program/structure_log.h"
#include "spec/expression_text.h"
#include "spec/expressions.h"
#include "spec/operator.h"

enum { ENTRY_BYTES = 128 };

/* The option by which a compile leaves optimisation out; NULL: it leaves none out. NVRTC 13.0 (not 13.5) reads memory
 * that it has freed where some kernels are large, and sometimes ends the process: with "min" for reductions by key
 * whose accumulators are of several words (lists, var, logsumexp, structs) and for exact sums, without either for var
 * by key in exact arithmetic. So exact sums and structs are compiled with "mid", which runs as fast. Lists by key do
 * not run as fast with it: they are compiled without either, as all others by key are, which run as fast so. */
static const char *hurry_of(const jr_reduction *reduction, const jr_algorithm_kernel *which) {
    const bool is_exact = reduction->spec.accuracy == JR_ACCURACY_EXACT;
    if (which->full_optimisation || (which->large && !is_exact)) return NULL;
    return is_exact || reduction->inputs[0].type == JR_STRUCT ? "--Ofast-compile=mid" : "--Ofast-compile=min";
}

/* A kernel's name in profiles, where JITREDUCE_DEBUG asks for it: "jr_reduce_single_pass_sum_f32_uf4_b256". */
static const char *name_readably(const jr_reduction *reduction, const jr_algorithm_kernel *which,
                                 const jr_tuning *tuning, char name[ENTRY_BYTES]) {
    const char *setting = jr_setting_get(JR_SETTING_DEBUG);
    if (setting == NULL || setting[0] == '\0') return which->entry;
    const jr_operator *op = jr_operator_find(reduction->spec.op);
    const jr_dtype *type = jr_dtype_find(reduction->inputs[0].type);
    snprintf(name, ENTRY_BYTES, "%s_%s_%s_uf%d_b%d", which->entry,
             reduction->spec.op_count > 0 ? "list"
             : op != NULL                 ? op->name
                                          : "own",
             type != NULL ? type->name : "struct", tuning->unroll, tuning->block);
    return name;
}

/* constants, headers -> program */
static jr_status visit_one(const jr_reduction *reduction, const jr_algorithm_kernel *which,
                           const jr_constants *constants, const jr_expressions *expressions, jr_program_visit *visit,
                           void *user) {
    /* --minimal and hurry_of only shorten the compile: the kernels run as fast or faster. But the latter leaves chains
     * of additions in the order of the text. */
    const char *options[] = {"--minimal", "--disable-warnings", NULL, NULL, NULL};
    size_t option_count = 2;
    if (hurry_of(reduction, which) != NULL) options[option_count++] = hurry_of(reduction, which);
    /* Which products and sums are contracted is the compiler's choice, a kernel at a time; where bits are promised, all
     * kernels make the same number of an expression. */
    if (reduction->spec.accuracy != JR_ACCURACY_FAST) options[option_count++] = "--fmad=false";
    /* A quotient's error, 2 units of its last place, is far below that of 2 bytes. */
    if (jr_expression_text_is_short(reduction)) options[option_count++] = "--prec-div=false";
    jr_named_text headers[JR_SOURCE_HEADERS_MAX + 2];
    size_t header_count = jr_sources_headers(which->source, headers);
    if (expressions->functions != NULL) {
        headers[header_count++] = (jr_named_text){JR_DECLARATIONS_HEADER, expressions->declarations};
        headers[header_count++] = (jr_named_text){JR_EXPRESSIONS_HEADER, expressions->functions};
    }
    const jr_program program = {.name = strrchr(which->source, '/') + 1, /* a program's name is no path */
                                .source = jr_sources_find(which->source),
                                .entry = which->entry,
                                .constants = constants->items,
                                .constant_count = constants->count,
                                .headers = headers,
                                .header_count = header_count,
                                .options = options,
                                .option_count = option_count};
    return visit(user, &program);
}

jr_status jr_programs_each(const jr_reduction *reduction, const jr_choice *choice, const jr_segment_layout *heads,
                           jr_program_visit *visit, void *user) {
    const jr_algorithm_kernel *kernels = choice->row->kernels;
    jr_tuning tuning = choice->tuning;
    jr_constants constants;
    char name[ENTRY_BYTES];
    jr_expressions expressions;
    jr_status status = jr_expressions_make(reduction, choice->tuning.unroll, &expressions);
    if (status != JR_OK) return status;
    int k = 0; /* a row has one kernel at least */
    do {
        tuning.exclusive = choice->tuning.exclusive && !kernels[k].of_both_scans;
        jr_constants_of(reduction, &tuning, heads, &constants);
        jr_algorithm_kernel kernel = kernels[k];
        kernel.entry = name_readably(reduction, &kernel, &tuning, name);
        if (kernel.entry != kernels[k].entry)
            constants.items[constants.count++] = (jr_named_text){kernels[k].entry, kernel.entry};
        status = visit_one(reduction, &kernel, &constants, &expressions, visit, user);
    } while (status == JR_OK && ++k < JR_KERNELS_MAX && kernels[k].source != NULL);
    jr_expressions_free(&expressions);
    if (status == JR_ERROR_COMPILE && jr_structure_explain(&reduction->spec, &status)) return status;
    return status == JR_OK ? JR_OK : jr_expressions_explain(reduction, status);
}
