/* Modules: PTX text becomes kernels that can be launched, and variables that the driver gives places.
 *
 * This is what the other two rooms know of a module; what one is made of stands in code.h. */
#ifndef JRS_PTX_MODULE_H
#define JRS_PTX_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "global.h"
#include "report.h"

/* Parses and decodes PTX text (need not be NUL-terminated at length). NULL and a report when the text is wrong: the
 * message has the line number and the instruction's text. What the simulator does not support refuses the function it
 * stands in, and those that call it, and no other. */
jrs_module *jrs_module_parse(const char *ptx, size_t length, jrs_report *report);
void jrs_module_destroy(jrs_module *module);

size_t jrs_module_global_count(const jrs_module *module);
const jrs_global *jrs_module_global(const jrs_module *module, size_t index);
/* Says where global `index` lies. All globals must be placed before the first launch. Initial values that are
 * addresses of other globals are patched by jrs_module_link, which writes every initial value into its place. */
void jrs_module_place(jrs_module *module, size_t index, uint64_t address);
bool jrs_module_link(jrs_module *module, jrs_report *report);

/* A kernel (.entry) by name, NULL when there is none. Owned by the module. */
jrs_function *jrs_module_function(const jrs_module *module, const char *name);
/* Why a kernel cannot be executed, with line and text; NULL: it can. */
const char *jrs_function_refusal(const jrs_function *function);

/* What cuFuncGetAttribute and occupancy need. */
typedef struct jrs_function_info {
    const char *name;
    int registers;    /* 32-bit registers a thread: peak of live values, an estimate of what ptxas would take */
    int shared_bytes; /* static */
    int local_bytes;
    int constant_bytes;      /* of the module */
    int max_threads;         /* .maxntid product or 1024 */
    int required_threads[3]; /* .reqntid, zeros when absent */
    int min_blocks;          /* .minnctapersm, 0 when absent */
    int ptx_version;         /* 90 for 9.0 */
    int target;              /* 90 for sm_90 */
    size_t parameter_count;
} jrs_function_info;
void jrs_function_describe(const jrs_function *function, jrs_function_info *info);

/* Offset and size of parameter `index` in the parameter buffer; false when there is no such parameter. */
bool jrs_function_parameter(const jrs_function *function, size_t index, size_t *offset, size_t *bytes);
size_t jrs_function_parameter_bytes(const jrs_function *function); /* of the whole buffer */

#endif
