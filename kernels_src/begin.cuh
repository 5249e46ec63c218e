// Beginning: how launches that follow one another on a stream overlap.
//
// From compute capability 9.0 on the host may launch a kernel before the ones in front of it have ended
// (src/device/launch.c); its blocks take what room is free, and wait. Source: PTX ISA, "griddepcontrol".
#pragma once

// Lets the next launch of the stream begin, and waits until all before this one have ended and their writes are seen.
// Every kernel calls it before it touches memory.
//
// Measured on an H200: letting the next launch begin only when this one's loads are done, and bringing its first loads
// into the L2 cache while it waits, each made some sizes faster by up to 3 % and others slower by more.
#if __CUDA_ARCH__ >= 900
#define jr_begin() asm volatile("griddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;" ::: "memory")
#else
#define jr_begin()
#endif
