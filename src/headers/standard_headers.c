/* The table of standard headers. What cuda/std has becomes visible in std, too; names of the C headers are global
 * already. What cuda/std lacks under NVRTC (limits of floats, constants of <math.h>) is added. */
#include "standard_headers.h"

#include <string.h>

static const char floats[] =
    "#ifndef FLT_MAX\n"
    "#define FLT_RADIX 2\n#define FLT_MANT_DIG 24\n#define FLT_DIG 6\n#define FLT_DECIMAL_DIG 9\n"
    "#define FLT_MIN_EXP (-125)\n#define FLT_MAX_EXP 128\n#define FLT_MIN_10_EXP (-37)\n#define FLT_MAX_10_EXP 38\n"
    "#define FLT_MIN 1.17549435082228750797e-38F\n#define FLT_MAX 3.40282346638528859812e+38F\n"
    "#define FLT_EPSILON 1.1920928955078125e-7F\n#define FLT_TRUE_MIN 1.40129846432481707092e-45F\n"
    "#define FLT_HAS_SUBNORM 1\n#define FLT_EVAL_METHOD 0\n#define FLT_ROUNDS 1\n"
    "#endif\n"
    "#ifndef DBL_MAX\n"
    "#define DBL_MANT_DIG 53\n#define DBL_DIG 15\n#define DBL_DECIMAL_DIG 17\n#define DECIMAL_DIG 17\n"
    "#define DBL_MIN_EXP (-1021)\n#define DBL_MAX_EXP 1024\n#define DBL_MIN_10_EXP (-307)\n"
    "#define DBL_MAX_10_EXP 308\n"
    "#define DBL_MIN 2.22507385850720138309e-308\n#define DBL_MAX 1.79769313486231570815e+308\n"
    "#define DBL_EPSILON 2.2204460492503130808e-16\n#define DBL_TRUE_MIN 4.94065645841246544177e-324\n"
    "#define DBL_HAS_SUBNORM 1\n"
    "#endif\n";

static const char maths[] = "#ifndef M_PI\n"
                            "#define M_E 2.7182818284590452354\n#define M_LOG2E 1.4426950408889634074\n"
                            "#define M_LOG10E 0.43429448190325182765\n#define M_LN2 0.69314718055994530942\n"
                            "#define M_LN10 2.30258509299404568402\n#define M_PI 3.14159265358979323846\n"
                            "#define M_PI_2 1.57079632679489661923\n#define M_PI_4 0.78539816339744830962\n"
                            "#define M_1_PI 0.31830988618379067154\n#define M_2_PI 0.63661977236758134308\n"
                            "#define M_2_SQRTPI 1.12837916709551257390\n#define M_SQRT2 1.41421356237309504880\n"
                            "#define M_SQRT1_2 0.70710678118654752440\n"
                            "#endif\n"
                            "#ifndef HUGE_VAL\n"
                            "#define HUGE_VAL ((double)INFINITY)\n#define HUGE_VALF INFINITY\n"
                            "#endif\n";

/* NVRTC declares printf itself. */
static const char prints[] = "namespace std { using ::printf; }\n";

const jr_standard_header jr_standard_headers[] = {
    {"assert.h", "cuda/std/cassert", ""},
    {"float.h", "cuda/std/cfloat", floats},
    {"limits.h", "cuda/std/climits", ""},
    {"math.h", "cuda/std/cmath", maths},
    {"stddef.h", "cuda/std/cstddef", ""},
    {"stdint.h", "cuda/std/cstdint", ""},
    {"stdio.h", "cuda/std/cstddef", prints},
    {"stdlib.h", "cuda/std/cstdlib", ""},
    {"string.h", "cuda/std/cstring", ""},
    {"time.h", "cuda/std/ctime", ""},
    {"cassert", "cuda/std/cassert", ""},
    {"cfloat", "cuda/std/cfloat", floats},
    {"climits", "cuda/std/climits", ""},
    {"cmath", "cuda/std/cmath", maths},
    {"cstddef", "cuda/std/cstddef", ""},
    {"cstdint", "cuda/std/cstdint", ""},
    {"cstdio", "cuda/std/cstddef", prints},
    {"cstdlib", "cuda/std/cstdlib", ""},
    {"cstring", "cuda/std/cstring", ""},
    {"ctime", "cuda/std/ctime", ""},
    {"algorithm", "cuda/std/algorithm", ""},
    {"array", "cuda/std/array", ""},
    {"atomic", "cuda/std/atomic", ""},
    {"bit", "cuda/std/bit", ""},
    {"bitset", "cuda/std/bitset", ""},
    {"chrono", "cuda/std/chrono", ""},
    {"complex", "cuda/std/complex", ""},
    {"concepts", "cuda/std/concepts", ""},
    {"expected", "cuda/std/expected", ""},
    {"functional", "cuda/std/functional", ""},
    {"initializer_list", "cuda/std/initializer_list", ""},
    {"iterator", "cuda/std/iterator", ""},
    {"limits", "cuda/std/limits", ""},
    {"memory", "cuda/std/memory", ""},
    {"new", "cuda/std/new", ""},
    {"numbers", "cuda/std/numbers", ""},
    {"numeric", "cuda/std/numeric", ""},
    {"optional", "cuda/std/optional", ""},
    {"ranges", "cuda/std/ranges", ""},
    {"ratio", "cuda/std/ratio", ""},
    {"span", "cuda/std/span", ""},
    {"string_view", "cuda/std/string_view", ""},
    {"tuple", "cuda/std/tuple", ""},
    {"type_traits", "cuda/std/type_traits", ""},
    {"utility", "cuda/std/utility", ""},
    {"variant", "cuda/std/variant", ""},
    {"version", "cuda/std/version", ""},
};
const size_t jr_standard_header_count = sizeof jr_standard_headers / sizeof jr_standard_headers[0];
_Static_assert(sizeof jr_standard_headers / sizeof jr_standard_headers[0] <= JR_STANDARD_HEADERS_MAX,
               "raise JR_STANDARD_HEADERS_MAX");

size_t jr_standard_header_find(const char *name) {
    size_t i = 0;
    while (i < jr_standard_header_count && strcmp(jr_standard_headers[i].name, name) != 0) i++;
    return i;
}

bool jr_standard_header_is_for_hosts(const char *name) {
    static const char *const names[] = {"condition_variable",
                                        "deque",
                                        "exception",
                                        "filesystem",
                                        "format",
                                        "forward_list",
                                        "fstream",
                                        "future",
                                        "iomanip",
                                        "ios",
                                        "iostream",
                                        "istream",
                                        "list",
                                        "locale",
                                        "map",
                                        "mutex",
                                        "ostream",
                                        "print",
                                        "queue",
                                        "random",
                                        "regex",
                                        "set",
                                        "shared_mutex",
                                        "sstream",
                                        "stack",
                                        "stdexcept",
                                        "string",
                                        "thread",
                                        "typeindex",
                                        "typeinfo",
                                        "unistd.h",
                                        "unordered_map",
                                        "unordered_set",
                                        "vector"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}
