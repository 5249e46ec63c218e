/* Programs with a large header, each compiled by a process of its own, as NVRTC is opened once a process. What a
 * compile was and what came of it stands in memory that the processes share. */
#ifndef TESTS_SUPPORT_PCH_CASE_H
#define TESTS_SUPPORT_PCH_CASE_H

#include <sys/types.h>

#include "base/digest.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

enum { PCH_HEADER_BYTES = 400 << 10, PCH_PROCESSES = 4 };

typedef struct pch_compiled {
    jr_program program;
    const char *bytes;  /* JITREDUCE_PCH_BYTES; NULL: not set */
    size_t moved_bytes; /* taken from address space before, so that mappings are not where another process has them */
    int more;           /* compiles of it in this process: with other text, at the end */
    bool limited;       /* the process has a limit on address space */
    jr_status status;
    bool ready; /* NVRTC has precompiled headers */
    int made, begun, dropped, read;
    uint8_t image[JR_DIGEST_BYTES]; /* of PTX and cubin */
    char message[512], log[4096];
} pch_compiled;

extern pch_compiled *pch_shared; /* PCH_PROCESSES of them */
extern char pch_header[PCH_HEADER_BYTES];
extern const char pch_source[], pch_other[]; /* two programs with that header */

/* CMocka's fixtures: a folder for each test. */
int pch_begin(void **state);
int pch_end(void **state);

/* A program with the large header, and one constant. */
pch_compiled *pch_asked(int index, const char *text);

/* Compiles it in a process. */
pch_compiled *pch_run(pch_compiled *self);
pid_t pch_process_begin(pch_compiled *self, const char *folder);
void pch_process_end(pid_t child);

/* Compiles the program, so that the folder has a file; skips a test under an NVRTC that can make none. */
void pch_make_one(void);

/* Its image is the one that the program has without precompiled headers. */
void pch_assert_same_image(const pch_compiled *self);

/* None was made or used. */
void pch_assert_none(pch_compiled *self);

/* Writes a text over the first bytes of another one. */
void pch_put(char *at, const char *text);

/* The folder's files: their number, and the path of one. */
int pch_files(char path[2 * SCRATCH_BYTES]);

#endif
