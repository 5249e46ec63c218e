/* Reads facts about a shared library from its file, without loading it. */
#ifndef JR_LOADER_ELF_FILE_H
#define JR_LOADER_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Why a file cannot be a shared library of this machine ("not an ELF file", strerror's text); NULL when it can. */
const char *jr_elf_file_refusal(const char *path);

/* Reads the GNU build id of an ELF file as hex into out (at least 41 bytes); false when it has none or is no ELF. */
bool jr_elf_build_id(const char *path, char *out, size_t bytes);

#endif
