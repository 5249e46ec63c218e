// The contract: the constants that every reduction kernel must be given, checked before anything else is compiled.
//
// The host defines them in front of this text (src/program/constants.c); a kernel that is compiled without one of them
// fails here with its name. Every constant that the host writes stands here, since one that is absent would silently be 0
// in an #if (test_contract holds the two lists together). Ranges are checked in types.cuh.
#pragma once

#ifndef JR_INPUTS
#error "contract: JR_INPUTS, the number of input arrays, is not defined"
#endif
#ifndef JR_X
#error "contract: JR_X, the C type of an element of the first input, is not defined"
#endif
#ifndef JR_X_VALUE
#error "contract: JR_X_VALUE, the C type in which such an element is computed with, is not defined"
#endif
#if JR_INPUTS > 1 && !(defined JR_Y && defined JR_Y_VALUE)
#error "contract: JR_Y and JR_Y_VALUE, the C types of an element of the second input, are not defined"
#endif
#if JR_INPUTS > 2 && !(defined JR_Z && defined JR_Z_VALUE)
#error "contract: JR_Z and JR_Z_VALUE, the C types of an element of the third input, are not defined"
#endif
#if JR_INPUTS > 3 && !(defined JR_W && defined JR_W_VALUE)
#error "contract: JR_W and JR_W_VALUE, the C types of an element of the fourth input, are not defined"
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
#ifndef JR_OPERATOR
#error "contract: JR_OPERATOR, the operator's type (operators.cuh), is not defined"
#endif
#ifndef JR_MAPPED
#error "contract: JR_MAPPED, the C type of what the operator is given, is not defined"
#endif
#ifndef JR_ACCUMULATOR_BYTES
#error "contract: JR_ACCUMULATOR_BYTES, the size of what the operator combines, is not defined"
#endif
#ifndef JR_OPERATORS_BITS
#error "contract: JR_OPERATORS_BITS, 1 when operators/bits.cuh has an operator that is asked for, is not defined"
#endif
#ifndef JR_OPERATORS_ORDER
#error "contract: JR_OPERATORS_ORDER, 1 when operators/order.cuh has one, is not defined"
#endif
#ifndef JR_OPERATORS_INDEX
#error "contract: JR_OPERATORS_INDEX, 1 when operators/index.cuh has one, is not defined"
#endif
#ifndef JR_OPERATORS_STATISTICS
#error "contract: JR_OPERATORS_STATISTICS, 1 when operators/statistics.cuh has one, or several are asked for, is not defined"
#endif
#ifndef JR_EXPRESSIONS
#error "contract: JR_EXPRESSIONS, 1 when expressions.cuh was written for this kernel, is not defined"
#endif
#ifndef JR_COMBINE
#error "contract: JR_COMBINE, 1 when the operator is an expression, is not defined"
#endif
#ifndef JR_COMMUTATIVE
#error "contract: JR_COMMUTATIVE, 1 when combine may be given its operands in any order, is not defined"
#endif
#ifndef JR_SKIP_NAN
#error "contract: JR_SKIP_NAN, 1 when elements that are NaN are left out, is not defined"
#endif
#ifndef JR_KEPT
#error "contract: JR_KEPT, 1 when the elements that are not left out are counted, is not defined"
#endif
#ifndef JR_ALL_ENDS
#error "contract: JR_ALL_ENDS, 1 when an array may have no element at a 16-byte boundary, is not defined"
#endif
#ifndef JR_INITIAL
#error "contract: JR_INITIAL, 1 when an initial value is folded in, is not defined"
#endif
#ifndef JR_INITIAL_TYPE
#error "contract: JR_INITIAL_TYPE, the C type of that value, is not defined"
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
#ifndef JR_STAGES
#error "contract: JR_STAGES, the number of tiles in the ring of bulk_copy, else 0, is not defined"
#endif
