// Words: operators over elements of 4 bytes that one PTX instruction combines, and what single_pass does with them.
//
// Elements, partial results and the result are 32-bit words here whatever their type, so that a kernel needs no class
// and no function of the other headers: each function that a kernel calls takes about 1 % of its compile time, and
// these operators are what most callers ask for first.
// Sources: PTX ISA, "Floating-Point Instructions", "Integer Arithmetic Instructions", "Logic and Shift Instructions".
#pragma once

#include "core/types.cuh"

// By JR_WORD_OPERATOR: the instruction, and the identity's bits. As in operators/operators.cuh and operators/order.cuh.
#define JR_WORD_sum_f32  "add.rn.f32", 0x80000000
#define JR_WORD_prod_f32 "mul.rn.f32", 0x3f800000
#define JR_WORD_min_f32  "min.NaN.f32", 0x7f800000
#define JR_WORD_max_f32  "max.NaN.f32", 0xff800000
#define JR_WORD_sum_i32  "add.s32", 0
#define JR_WORD_prod_i32 "mul.lo.s32", 1
#define JR_WORD_min_i32  "min.s32", 0x7fffffff
#define JR_WORD_max_i32  "max.s32", 0x80000000
#define JR_WORD_and_i32  "and.b32", 0xffffffff
#define JR_WORD_or_i32   "or.b32", 0
#define JR_WORD_xor_i32  "xor.b32", 0
#define JR_WORD_sum_u32  "add.u32", 0
#define JR_WORD_prod_u32 "mul.lo.u32", 1
#define JR_WORD_min_u32  "min.u32", 0xffffffff
#define JR_WORD_max_u32  "max.u32", 0
#define JR_WORD_and_u32  "and.b32", 0xffffffff
#define JR_WORD_or_u32   "or.b32", 0
#define JR_WORD_xor_u32  "xor.b32", 0

#define JR_FIRST_OF(first, second)  first
#define JR_SECOND_OF(first, second) second
#define JR_CHOSEN(choose, row)      choose(row)
#define JR_PASTED(a, b)             a##b
#define JR_PASTE(a, b)              JR_PASTED(a, b)
#define JR_WORD_ROW                 JR_PASTE(JR_WORD_, JR_WORD_OPERATOR)
#define JR_INSTRUCTION              JR_CHOSEN(JR_FIRST_OF, JR_WORD_ROW)
#define JR_IDENTITY                 JR_CHOSEN(JR_SECOND_OF, JR_WORD_ROW)

// Adds the zero that signs the total of all elements (operators/reducer.cuh).
#if JR_ADDS_FLOATS
#define JR_SIGN_TOTAL(total, call) JR_COMBINE_WORD(total, ((const jr_u32 *)&(call).zero)[1])
#else
#define JR_SIGN_TOTAL(total, call)
#endif

static_assert(sizeof(JR_X) == 4 && JR_ACCUMULATOR_BYTES == 4, "contract: JR_WORDS is for elements of 4 bytes");

// Combines a word with a total.
#define JR_COMBINE_WORD(total, word) asm(JR_INSTRUCTION " %0, %0, %1;" : "+r"(total) : "r"(word))

// use(u, operand) of every load u of a thread: the operands of JR_COMBINE_TILE's statement from the fourth on are where
// the loads begin. The preprocessor repeats them, as loops take longer to be unrolled.
#define JR_EACH_1(use)  use(0, 3)
#define JR_EACH_2(use)  JR_EACH_1(use) use(1, 4)
#define JR_EACH_3(use)  JR_EACH_2(use) use(2, 5)
#define JR_EACH_4(use)  JR_EACH_3(use) use(3, 6)
#define JR_EACH_5(use)  JR_EACH_4(use) use(4, 7)
#define JR_EACH_6(use)  JR_EACH_5(use) use(5, 8)
#define JR_EACH_7(use)  JR_EACH_6(use) use(6, 9)
#define JR_EACH_8(use)  JR_EACH_7(use) use(7, 10)
#define JR_EACH_9(use)  JR_EACH_8(use) use(8, 11)
#define JR_EACH_10(use) JR_EACH_9(use) use(9, 12)
#define JR_EACH_11(use) JR_EACH_10(use) use(10, 13)
#define JR_EACH_12(use) JR_EACH_11(use) use(11, 14)
#define JR_EACH_13(use) JR_EACH_12(use) use(12, 15)
#define JR_EACH_14(use) JR_EACH_13(use) use(13, 16)
#define JR_EACH_15(use) JR_EACH_14(use) use(14, 17)
#define JR_EACH_16(use) JR_EACH_15(use) use(15, 18)
#define JR_EACH(use)    JR_PASTE(JR_EACH_, JR_UNROLL)(use)

#define JR_LOAD_PACK(u, operand)                                                                                       \
    "setp.gt.s32 there, here, %" #operand ";\n\t"                                                                      \
    "@there ld.global.nc.L1::no_allocate.v4.b32 {a" #u ", b" #u ", c" #u ", d" #u "}, [%1 + %" #operand "];\n\t"
#define JR_COMBINE_PACK(u, operand)                                                                                    \
    "setp.gt.s32 there, here, %" #operand ";\n\t" JR_INSTRUCTION " a" #u ", a" #u ", b" #u ";\n\t" JR_INSTRUCTION      \
    " c" #u ", c" #u ", d" #u ";\n\t" JR_INSTRUCTION " a" #u ", a" #u ", c" #u ";\n\t@there " JR_INSTRUCTION           \
    " %0, %0, a" #u ";\n\t"
#define JR_PACK_AT(u, operand) , "n"((u)*JR_BLOCK * 16)

// Loads a thread's JR_UNROLL packs of 16 bytes in a tile, JR_BLOCK packs apart, and combines each pairwise with a
// total. from: the first pack's address in global memory; left: bytes from there to the end; nothing after it is read.
// All loads are in flight before the first is used; they bypass L1. Each pack is tested against the end twice: a thread
// has seven predicates, and keeping one for each of eight packs would split the loads.
#define JR_COMBINE_TILE(total, from, left)                                                                             \
    asm volatile("{\n\t.reg .pred there;\n\t.reg .b32 here, a<16>, b<16>, c<16>, d<16>;\n\t.reg .b64 some;\n\t"        \
                 "min.s64 some, %2, 0x7fffffff;\n\tmax.s64 some, some, 0;\n\tcvt.u32.u64 here, some;\n\t" JR_EACH(     \
                     JR_LOAD_PACK) JR_EACH(JR_COMBINE_PACK) "}"                                                        \
                 : "+r"(total)                                                                                         \
                 : "l"(from), "l"(left)JR_EACH(JR_PACK_AT))

// Combines four words of shared memory, aligned to 16 bytes, with a total, pairwise.
#define JR_COMBINE_SHARED(total, words)                                                                                \
    asm volatile("{\n\t.reg .b32 a, b, c, d;\n\tld.shared.v4.b32 {a, b, c, d}, [%1];\n\t" JR_INSTRUCTION               \
                 " a, a, b;\n\t" JR_INSTRUCTION " c, c, d;\n\t" JR_INSTRUCTION " a, a, c;\n\t" JR_INSTRUCTION          \
                 " %0, %0, a;\n\t}"                                                                                    \
                 : "+r"(total)                                                                                         \
                 : "r"((jr_u32)__cvta_generic_to_shared(words))                                                        \
                 : "memory")

// Combines the totals of a warp; lane 0 has the result. Every lane takes part.
#define JR_COMBINE_LANE(distance)                                                                                      \
    "shfl.sync.down.b32 other, %0, " #distance ", 31, -1;\n\t" JR_INSTRUCTION " %0, %0, other;\n\t"
#define JR_COMBINE_WARP(total)                                                                                         \
    asm volatile("{\n\t.reg .b32 other;\n\t" JR_COMBINE_LANE(16) JR_COMBINE_LANE(8) JR_COMBINE_LANE(4)                 \
                     JR_COMBINE_LANE(2) JR_COMBINE_LANE(1) "}"                                                         \
                 : "+r"(total))

// Writes a word into a slot (collect.cuh).
#define JR_PUT_SLOT(slot, word)                                                                                        \
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(slot), "l"(1ull << 32 | (word)) : "memory")

// Waits for a slot, clears it and combines what it held with a total.
#define JR_COMBINE_SLOT(total, slot)                                                                                   \
    asm volatile("{\n\t.reg .pred clear;\n\t.reg .b64 marked;\n\t.reg .b32 word, mark;\n"                              \
                 "again:\n\tld.relaxed.gpu.global.b64 marked, [%1];\n\tmov.b64 {word, mark}, marked;\n\t"              \
                 "setp.eq.u32 clear, mark, 0;\n\t@clear bra again;\n\t"                                                \
                 "st.relaxed.gpu.global.b64 [%1], 0;\n\t" JR_INSTRUCTION " %0, %0, word;\n\t}"                         \
                 : "+r"(total)                                                                                         \
                 : "l"(slot)                                                                                           \
                 : "memory")
