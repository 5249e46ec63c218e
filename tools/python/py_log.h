/* The library's log on standard error, as the setting JITREDUCE_LOG asks for it. */
#ifndef PJ_LOG_H
#define PJ_LOG_H

/* Installs the log once, when the module is imported: lines of the level that JITREDUCE_LOG names, and above. Warns of
 * another value; -1: with a Python error set, where warnings are errors. */
int pj_log_begin(void);

#endif
