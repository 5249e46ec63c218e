// The contract: the constants that every reduction kernel must be given, checked before anything else is compiled.
//
// The host defines them in front of this text (src/program/constants.c); a kernel that is compiled without one of them
// fails here with its name, and a value out of range fails with the range that the host believes in.
#pragma once

#ifndef JR_X
#error "contract: JR_X, the C type of an element of the first input, is not defined"
#endif
#ifndef JR_X_VALUE
#error "contract: JR_X_VALUE, the C type in which such an element is computed with, is not defined"
#endif
#ifndef JR_INPUTS
#error "contract: JR_INPUTS, the number of input arrays, is not defined"
#endif
#ifndef JR_OPERATOR
#error "contract: JR_OPERATOR, the operator's type (operators.cuh), is not defined"
#endif
#ifndef JR_MAPPED
#error "contract: JR_MAPPED, the C type of what the operator is given, is not defined"
#endif
#ifndef JR_ACCUMULATOR_BYTES
#error "contract: JR_ACCUMULATOR_BYTES, the size of what the operator combines, is not defined"
#endif
#ifndef JR_INTEGER_BYTES
#error "contract: JR_INTEGER_BYTES, the size of an element that is an integer, else 0, is not defined"
#endif
#ifndef JR_WORDS
#error "contract: JR_WORDS, 1 when words.cuh serves the operator, type and tuning, is not defined"
#endif
#if JR_WORDS && !defined JR_WORD_OPERATOR
#error "contract: JR_WORD_OPERATOR, the operator's name in words.cuh, is not defined"
#endif
#ifndef JR_OPERATORS_BITS
#error "contract: JR_OPERATORS_BITS, 1 when operators/bits.cuh has an operator that is asked for, is not defined"
#endif
#ifndef JR_EXPRESSIONS
#error "contract: JR_EXPRESSIONS, 1 when expressions.cuh was written for this kernel, is not defined"
#endif
#ifndef JR_SKIP_NAN
#error "contract: JR_SKIP_NAN, 1 when elements that are NaN are left out, is not defined"
#endif
#ifndef JR_INITIAL
#error "contract: JR_INITIAL, 1 when an initial value is folded in, is not defined"
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

static_assert(JR_INPUTS >= 1 && JR_INPUTS <= 4, "contract: JR_INPUTS must be 1 to 4");
static_assert(JR_UNROLL >= 1 && JR_UNROLL <= 16, "contract: JR_UNROLL must be 1 to 16");
static_assert(JR_BLOCK >= 32 && JR_BLOCK <= 1024 && JR_BLOCK % 32 == 0,
              "contract: JR_BLOCK must be a multiple of 32 from 32 to 1024");
static_assert(JR_SHARED_DYNAMIC == 0 || JR_SHARED_DYNAMIC == 1, "contract: JR_SHARED_DYNAMIC must be 0 or 1");
static_assert(JR_INITIAL == 0 || JR_INITIAL == 1, "contract: JR_INITIAL must be 0 or 1");
