/* Texts of large headers, kept on disk with where they were found, for other programs with the same includes: to follow
 * CUB's 700 headers takes as long as to compile a kernel with them.
 *
 * They are found by what the search for headers sees of a program: its directives, the texts of its virtual headers,
 * options and folders. They hold only while all files are as they were. Any failure is a miss, and the error record of
 * the calling thread stays as it was. */
#ifndef JR_PCH_PCH_HEADERS_H
#define JR_PCH_PCH_HEADERS_H

#include "headers/headers.h"

/* Reads the headers of a program from a cache folder ("": none), and looks at all files; freed with jr_headers_free. */
bool jr_pch_headers_read(const char *cache_folder, const jr_program_text *text, const jr_folders *folders,
                         jr_headers **headers);

/* Keeps headers if they are large, and the program's own text needs no other names for them. */
void jr_pch_headers_write(const char *cache_folder, const jr_program_text *text, const jr_folders *folders,
                          const jr_headers *headers);

/* How many bytes their texts have. */
size_t jr_pch_headers_bytes(const jr_headers *headers);

/* Smaller headers compile in less time than a precompiled one saves. */
enum { JR_PCH_HEADER_BYTES_LEAST = 256 << 10 };

#endif
