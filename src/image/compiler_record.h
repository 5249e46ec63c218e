/* What the key needs to know of an NVRTC file, kept on disk, so that a process that finds everything in the disk cache
 * never maps NVRTC's 100 MB.
 *
 * A record holds only while the file is the same: path, size, modification time, inode, device and ELF build id. Any
 * failure is a miss, and the error record of the calling thread stays as it was. */
#ifndef JR_IMAGE_COMPILER_RECORD_H
#define JR_IMAGE_COMPILER_RECORD_H

#include <stdbool.h>

#include "loader/nvrtc.h"

/* Reads the record of the NVRTC file at path (as jr_nvrtc_locate gives it) from a cache folder ("": none). */
bool jr_compiler_record_read(const char *folder, const char *path, jr_nvrtc_about *record);

/* Writes a record; false when it could not be written. */
bool jr_compiler_record_write(const char *folder, const jr_nvrtc_about *record);

#endif
