/* Settings: a value for each parameter of a space, and what formulas say of them. */
#ifndef JR_TUNE_SETTING_H
#define JR_TUNE_SETTING_H

#include "wisdom/space.h"

/* The values of a setting by its number, the last parameter's going round first. */
void jr_setting_at(const jr_space *space, uint64_t number, int64_t values[]);

/* Do values meet all restrictions? Errors: JR_ERROR_INVALID_ARGUMENT, of a formula. */
jr_status jr_setting_allowed(const jr_space *space, const int64_t values[], bool *allowed);

/* Grid, block and shared memory. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_setting_launch(const jr_space *space, const int64_t values[], jr_launch *launch);

/* Makes the program of a setting; its constants lie in room for the program's and the parameters'. */
jr_program jr_setting_program(const jr_space *space, const int64_t values[], jr_named_text *constants);

/* "BLOCK=256,UF=4", from values and back. Errors: JR_ERROR_INVALID_ARGUMENT: no setting of this space. */
void jr_setting_print(const jr_space *space, const int64_t values[], char text[JR_SETTING_BYTES]);
jr_status jr_setting_read(const jr_space *space, const char *text, int64_t values[]);

/* Finds the preferred setting. Errors: JR_ERROR_INVALID_ARGUMENT: it is not a setting, or not a possible one; or no
 * setting is possible. */
jr_status jr_setting_preferred(const jr_space *space, int64_t values[]);

enum { JR_SETTING_LOOKED_AT = 1 << 20 }; /* settings of which the first possible one is looked for */

#endif
