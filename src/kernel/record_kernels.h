/* Which kernels of a loaded image are recorded. */
#ifndef JR_KERNEL_RECORD_KERNELS_H
#define JR_KERNEL_RECORD_KERNELS_H

#include "loaded.h"

/* Notes the program that an image was made of, and has those of its kernels recorded that are asked for. program: with
 * its entries; NULL: not known. recorder: NULL: nothing is done. Any thread. */
void jr_record_kernels(jr_recorder *recorder, const jr_image *image, const jr_program *program, jr_kernel *first);

#endif
