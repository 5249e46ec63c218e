/* The folder of precompiled headers, `pch` in the disk cache's: files KEY-SUM.pch and KEY-SUM.txt, bounded by the
 * setting JITREDUCE_PCH_BYTES. NVRTC maps such a file and trusts it, so each is summed up before it is used, once. No
 * function here touches the error record of the calling thread. */
#ifndef JR_PCH_PCH_FILES_H
#define JR_PCH_PCH_FILES_H

#include "base/digest.h"
#include "base/files.h"

/* The kinds of files: what NVRTC precompiled, and texts of headers. Both have four bytes. */
#define JR_PCH_SUFFIX       ".pch"
#define JR_PCH_TEXTS_SUFFIX ".txt"

/* The folder's limit in bytes; 0: there are to be no precompiled headers. */
uint64_t jr_pch_files_cap(void);

/* Finds the file of a key. False: the folder has no such file. */
bool jr_pch_files_find(const char *folder, const uint8_t key[JR_DIGEST_BYTES], const char *suffix,
                       char path[JR_PATH_BYTES]);

/* Is the file what its name says? It is read whole unless it is sealed. */
bool jr_pch_file_is_whole(const char *path);

/* Notes that a file is used now, and seals one that is whole: its time of change becomes one that depends on what the
 * file is and on when the machine was started. Whatever is written to the file then, or was lost with the power, breaks
 * the seal. */
void jr_pch_file_seal(const char *path);

/* The path of a file that is still to be written; false: the folder cannot be made or used. */
bool jr_pch_files_temporary(const char *folder, char path[JR_PATH_BYTES]);

/* Gives a file that was written its name, and removes the least recently used ones beyond the limit. False: it was
 * larger than that, or the disk is full; it is removed. path: in: of what was written, out: of the file. */
bool jr_pch_files_keep(const char *folder, const uint8_t key[JR_DIGEST_BYTES], const char *suffix,
                       char path[JR_PATH_BYTES]);

#endif
