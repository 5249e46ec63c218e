/* The environment variables that stand in for options, as --help and doctor show them: the library's list. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <stdbool.h>
#include <stdio.h>

/* The value of JITREDUCE_DEVICE, NULL when it is not set or empty. */
const char *cli_settings_device(void);

/* The value of JITREDUCE_LOG, NULL when it is not set or empty. */
const char *cli_settings_log(void);

/* Whether launches or kernels are to be recorded (JITREDUCE_CAPTURE, JITREDUCE_PACK_RECORD). */
bool cli_settings_records(void);

/* Prints every setting: what it does (values = 0), or what is in force (values = 1). */
void cli_settings_print(FILE *out, int values);

/* Whether the terminal moves no cursor (TERM), or nothing but plain text is wanted (NO_COLOR). */
bool cli_settings_plain_terminal(void);

/* Whether texts are UTF-8, by the locale that the environment names: LC_ALL, else LC_CTYPE, else LANG. */
bool cli_settings_utf8(void);

/* The file of JITREDUCE_MPI, the plug-in of --mpi; NULL: not set. */
const char *cli_settings_mpi(void);

/* The folder of temporary files: TMPDIR, else /tmp. */
const char *cli_settings_temporary_folder(void);

/* The file that JRSIM_ROUNDS names, NULL when it is not set; sets it for this process, before a device is opened: false
 * when out of memory. */
const char *cli_settings_rounds(void);
bool cli_settings_set_rounds(const char *path);

#endif
