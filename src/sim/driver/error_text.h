/* Error numbers in words: the driver's fixed names and sentences, and sentences that carry a fault's report. */
#ifndef JRS_DRIVER_ERROR_TEXT_H
#define JRS_DRIVER_ERROR_TEXT_H

/* "CUDA_ERROR_INVALID_VALUE" and "invalid argument"; NULL for a number that is no error. */
const char *jrs_error_name(int error);
const char *jrs_error_sentence(int error);

/* "<sentence>: <detail>", kept for the process's life, since the driver API hands out texts that nobody frees; equal
 * ones are kept once. Falls back to the sentence alone when out of memory. Any thread. */
const char *jrs_error_text_keep(int error, const char *detail);

#endif
