// Kinds of numbers, for what depends on them: functions of expressions, and the default types of a spec.
#pragma once

#include "core/types.cuh"

// 1 for integers, 2 for float, 3 for double, 0 for all other types.
template <class T> struct jr_number_kind {
    static constexpr int is = 0;
};
#define JR_NUMBER_KIND(T, number)                                                                                      \
    template <> struct jr_number_kind<T> {                                                                             \
        static constexpr int is = number;                                                                              \
    }
JR_NUMBER_KIND(bool, 1);
JR_NUMBER_KIND(char, 1);
JR_NUMBER_KIND(signed char, 1);
JR_NUMBER_KIND(unsigned char, 1);
JR_NUMBER_KIND(short, 1);
JR_NUMBER_KIND(unsigned short, 1);
JR_NUMBER_KIND(int, 1);
JR_NUMBER_KIND(unsigned, 1);
JR_NUMBER_KIND(long, 1);
JR_NUMBER_KIND(unsigned long, 1);
JR_NUMBER_KIND(long long, 1);
JR_NUMBER_KIND(unsigned long long, 1);
JR_NUMBER_KIND(float, 2);
JR_NUMBER_KIND(double, 3);
JR_NUMBER_KIND(long double, 3);
