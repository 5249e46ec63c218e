// The contract: the constants that every reduction kernel must be given, checked before anything else is compiled.
//
// The host defines them in front of this text (src/program/constants.c); a kernel that is compiled without one of them
// fails here with its name, and a value out of range fails with the range that the host believes in.
#pragma once

#ifndef JR_ELEMENT
#error "contract: JR_ELEMENT, the C type of an input element, is not defined"
#endif
#ifndef JR_ACCUMULATOR
#error "contract: JR_ACCUMULATOR, the C type in which values are combined, is not defined"
#endif
#ifndef JR_RESULT
#error "contract: JR_RESULT, the C type of the result, is not defined"
#endif
#ifndef JR_OPERATOR
#error "contract: JR_OPERATOR, the operator's type in operators.cuh, is not defined"
#endif
#ifndef JR_UNROLL
#error "contract: JR_UNROLL, the unroll factor, is not defined"
#endif
#ifndef JR_BLOCK
#error "contract: JR_BLOCK, the number of threads of a block, is not defined"
#endif
#ifndef JR_SHARED_DYNAMIC
#error "contract: JR_SHARED_DYNAMIC, 1 for shared memory sized at launch, is not defined"
#endif
#ifndef JR_INITIAL
#error "contract: JR_INITIAL, 1 when an initial value is folded in, is not defined"
#endif

static_assert(JR_UNROLL >= 1 && JR_UNROLL <= 16, "contract: JR_UNROLL must be 1 to 16");
static_assert(JR_BLOCK >= 32 && JR_BLOCK <= 1024 && JR_BLOCK % 32 == 0,
              "contract: JR_BLOCK must be a multiple of 32 from 32 to 1024");
static_assert(JR_SHARED_DYNAMIC == 0 || JR_SHARED_DYNAMIC == 1, "contract: JR_SHARED_DYNAMIC must be 0 or 1");
static_assert(JR_INITIAL == 0 || JR_INITIAL == 1, "contract: JR_INITIAL must be 0 or 1");
static_assert(16 % sizeof(JR_ELEMENT) == 0, "contract: sizeof(JR_ELEMENT) must divide 16");
static_assert(sizeof(JR_ACCUMULATOR) % 4 == 0, "contract: sizeof(JR_ACCUMULATOR) must be a multiple of 4");
