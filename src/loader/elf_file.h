/* What can be told about a shared library from its file alone, without loading it. */
#ifndef JR_LOADER_ELF_FILE_H
#define JR_LOADER_ELF_FILE_H

/* Why a file cannot be a shared library of this machine ("no ELF file", strerror's text); NULL when it can. */
const char *jr_elf_file_refusal(const char *path);

#endif
