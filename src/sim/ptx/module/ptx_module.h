/* Modules: PTX text becomes kernels that can be launched, and variables that the driver gives places. */
#ifndef JRS_MODULE_MODULE_H
#define JRS_MODULE_MODULE_H

#include "sim/ptx/code.h"
#include "sim/ptx/ptx_report.h"

/* Parses and decodes PTX text (need not be NUL-terminated at length). NULL and a report when the text is wrong: the
 * message has the line number and the instruction's text. What the simulator does not support refuses the function it
 * stands in, and those that call it, and no other. */
jrs_module *jrs_module_parse(const char *ptx, size_t length, jrs_report *report);
void jrs_module_destroy(jrs_module *module);

/* Writes every variable's initial value into its place, and the variables' addresses into values and code. All must
 * have a place, and the simulator's own memory there. Before the first launch. */
void jrs_module_link(jrs_module *module);

/* The kernel (.entry) of this name, owned by the module; NULL when the module has no such kernel. */
jrs_function *jrs_module_function(const jrs_module *module, const char *name);
#endif
