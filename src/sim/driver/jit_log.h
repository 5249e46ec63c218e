/* The JIT log: the buffers that a caller of cuModuleLoadDataEx names among the options. */
#ifndef JRS_DRIVER_JIT_LOG_H
#define JRS_DRIVER_JIT_LOG_H

typedef struct jrs_jit_log {
    char *error, *info; /* NULL: not wanted */
    unsigned error_bytes, info_bytes;
    void **error_slot, **info_slot; /* where the used sizes go; NULL: nowhere */
} jrs_jit_log;

/* Reads the options. Errors: 1 for an unknown option or a missing value. */
int jrs_jit_log_read(jrs_jit_log *log, unsigned count, const int *options, void **values);

/* Puts message ("": none) into the error buffer, cut to fit, and the used sizes into the options' values. */
void jrs_jit_log_write(const jrs_jit_log *log, const char *message);

#endif
