/* The attempt: NVRTC at one program, once. It runs on a thread of its own, so it records no errors but says how it
 * went. */
#ifndef JR_IMAGE_ATTEMPT_H
#define JR_IMAGE_ATTEMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "headers/headers.h"
#include "loader/nvrtc.h"
#include "pch/pch.h"

typedef struct jr_attempt {
    /* What is asked for. */
    const jr_nvrtc *nvrtc;
    const jr_program_text *text;
    const jr_headers *headers; /* what NVRTC is given instead of the text and its headers; NULL: these */
    const char *architecture;  /* "sm_XX" gives cubin and PTX, "compute_XX" PTX only */
    bool plain;                /* without the options that only shorten the compile */
    const jr_pch_turn *pch;    /* its part in precompiled headers; NULL: none */
    const char *trace;         /* NVRTC's option for a time trace; NULL: none is written */
    /* Limits; NVRTC without a flow callback (before 12.8) does not look at them. */
    double limit_ms;    /* CPU time of this thread: what other processes do does not count */
    double deadline_ms; /* of jr_clock_ms */

    /* How it went. */
    jr_nvrtc_result result;
    const char *action; /* the last thing tried: "compiling" */
    bool out_of_memory; /* ours, not NVRTC's: result says nothing */
    bool late;          /* ended by one of the limits */
    double cpu_ms;      /* CPU time of the thread until NVRTC last asked whether to go on, or until the end */
    bool hurried;       /* options that only shorten the compile were given */
    bool pch_worked;    /* the file of its part was written, or begun with */
    char *log, *ptx, *cubin;
    char *entry; /* lowered, or a list of them (entries.h); NULL: the program has none */
    size_t ptx_bytes, cubin_bytes;
} jr_attempt;

/* Makes the attempt on this thread. */
void jr_attempt_run(jr_attempt *attempt);

/* Frees what it gave. */
void jr_attempt_clean(jr_attempt *attempt);

#endif
