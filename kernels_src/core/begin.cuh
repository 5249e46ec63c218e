// How consecutive launches on a stream overlap.
//
// From compute capability 9.0 on the host may launch a kernel before its predecessors have ended (src/device/launch.c);
// its blocks take the free multiprocessors, and wait. Source: PTX ISA, "griddepcontrol".
#pragma once

// Lets the next launch of the stream begin, and waits until all before this one have ended and their writes are seen.
// Every kernel calls it, or jr_begin_late, before it touches memory.
//
// Measured on an H200: letting the next launch begin only when this one's loads are done, and bringing its first loads
// into the L2 cache while it waits, each made some sizes faster by up to 3 % and others slower by more.
//
// jr_begin_late: lets the next launch begin only when all before this one have ended, so that in a row of such launches
// never more than two are on the device. For kernels of few registers: where a multiprocessor has room for 5 blocks and
// each launch gives it 2, a third launch would fill the odd places first and get the others unevenly. Measured on an
// H200, single_pass of words, f32 of 2^22 elements by 8 loads of 256 threads: 7.5 us a launch with jr_begin, 6.3 us so.
// jr_begin_next, jr_begin_rest: the two halves of jr_begin, for a kernel that has hints to give between them.
#if __CUDA_ARCH__ >= 900
#define jr_begin()      asm volatile("griddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;" ::: "memory")
#define jr_begin_late() asm volatile("griddepcontrol.wait;\n\tgriddepcontrol.launch_dependents;" ::: "memory")
#define jr_begin_next() asm volatile("griddepcontrol.launch_dependents;" ::: "memory")
#define jr_begin_rest() asm volatile("griddepcontrol.wait;" ::: "memory")
#else
#define jr_begin()
#define jr_begin_late()
#define jr_begin_next()
#define jr_begin_rest()
#endif
