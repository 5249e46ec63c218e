// The contract: the constants that every reduction kernel must be given, checked before anything else is compiled.
//
// The host defines them before this text (src/program/constants.c); compiling a kernel without one of them fails here
// with the constant's name. All constants that the host writes are listed, since a missing one would silently be 0 in
// an #if (test_contract compares the two lists). Ranges are checked in types.cuh.
#pragma once

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
#if JR_WORDS && !defined JR_WORD_OPERATOR
#error "contract: JR_WORD_OPERATOR, the operator's name in words.cuh, is not defined"
#endif
#ifndef JR_OPERATOR
#error "contract: JR_OPERATOR, the operator's type (operators.cuh), is not defined"
#endif
#ifndef JR_MAPPED
#error "contract: JR_MAPPED, the C type of what the operator is given, is not defined"
#endif
#ifndef JR_INITIAL_TYPE
#error "contract: JR_INITIAL_TYPE, the C type of an initial value, is not defined"
#endif

#if JR_HEADS == 4 && !(defined JR_KEY && defined JR_KEY_VALUE)
#error "contract: JR_KEY and JR_KEY_VALUE, the C types of a key, are not defined"
#endif

// Numbers, one per line: if one is not defined, the compiler's error names it.
template <int... NUMBERS> struct jr_defined;
typedef jr_defined<
    JR_INPUTS,               // arrays
    JR_INTEGER_BYTES,        // of an element that is an integer, else 0
    JR_WORDS,                // 1: words.cuh serves the operator, type and tuning
    JR_ACCUMULATOR_BYTES,    // of what the operator combines
    JR_OPERATORS_BITS,       // 1: an operator on bits is asked for (operators/operators.cuh)
    JR_OPERATORS_ORDER,      // 1: operators/order.cuh has one
    JR_OPERATORS_INDEX,      // 1: operators/index.cuh has one
    JR_OPERATORS_STATISTICS, // 1: operators/statistics.cuh has one, or several are asked for
    JR_OPERATORS_EXACT,      // 1: operators/exact.cuh has one
    JR_EXPRESSIONS,          // 1: expressions.cuh was written for this kernel
    JR_COMBINE,              // 1: the operator is an expression
    JR_COMMUTATIVE,          // 1: combine may be given its operands in any order
    JR_SKIP_NAN,             // 1: elements that are NaN are skipped
    JR_ADDS_FLOATS,          // 1: the result (not a state) is a sum or mean of floats, and no element is skipped
    JR_KEPT,                 // 1: kept elements are counted
    JR_ALL_ENDS,             // 1: an array may have no element at a 16-byte boundary
    JR_STATE,                // 1: what is combined is written, for another step, and not the result; 2: the initial value before it; 3: a group's states meet
    JR_INITIAL,              // 1: an initial value is folded in
    JR_UNROLL,               // the unroll factor
    JR_BLOCK,                // threads of a block
    JR_SHARED_DYNAMIC,       // 1: shared memory is sized at launch
    JR_HEADS,                // how a scan's segment starts are given: JR_HEADS_...; 0: no segments
    JR_EXCLUSIVE,            // 1: the result of a scan leaves its own element out
    JR_PLACED,               // 1: somebody asks for the place of an element in its segment
    JR_STAGES                // tiles in the ring of bulk_copy, else 0
    > jr_contract;
