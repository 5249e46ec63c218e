/* Reports: why something failed. */
#ifndef JRS_PTX_REPORT_H
#define JRS_PTX_REPORT_H

enum { JRS_MESSAGE_BYTES = 2048 };

/* Why something failed, ready for a driver log. */
typedef struct jrs_report {
    int error;                       /* CUresult number: 1, 218 (invalid PTX), 700, 716, 719, 702, ... */
    char message[JRS_MESSAGE_BYTES]; /* "out of bounds: kernel k, PTX line 41 'ld.global.f32 ...', block (3,0,0),
                                      * thread (17,0,0), address 0x...: 4 bytes past the end of ..." */
} jrs_report;

#endif
