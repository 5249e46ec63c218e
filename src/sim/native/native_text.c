/* The headers that compiled kernels contain, as text: assembled into this file, so that both are compiled from one. */
#include "native_text.h"

#include <string.h>

#include "native_memory.h"                     /* IWYU pragma: keep */
#include "sim/exec/instructions/number_bits.h" /* IWYU pragma: keep */
#include "sim/exec/native_abi.h"               /* so that make sees a change of them */

#define EMBED(name, file)                                                                                              \
    extern const char name[];                                                                                          \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"" file "\"\n.byte 0\n.popsection\n");

EMBED(jrs_native_text_types, "src/sim/exec/lane_types.h")
EMBED(jrs_native_text_bits, "src/sim/exec/instructions/number_bits.h")
EMBED(jrs_native_text_abi, "src/sim/exec/native_abi.h")
EMBED(jrs_native_text_memory, "src/sim/native/native_memory.h")

/* One body is compiled for all lanes and for some. A place where a group may stop is AT its instruction. */
static const char macros[] =
    "#define LANES(type, at) ((lane_##type *)(void *)(frame + (at)))\n"
    "#define PREDICATE(at) (*(lane_u32 *)(void *)(frame + (at)))\n"
    "#define PUT(type, at, value) LANES(type, at)[l] = full || (mask >> l & 1) ? (value) : LANES(type, at)[l]\n"
    "#define LEAVE(at, why) do { n->pc = (at); n->left = left; return JRS_NATIVE_AT_PC + (why); } while (0)\n"
    "#define AT(at) do { if (__builtin_expect((at) >= limit, 0)) LEAVE(at, JRS_NATIVE_JUMP); } while (0)\n"
    "#define BRANCH(at) do { if (__builtin_expect((at) >= limit, 0)) LEAVE(at, JRS_NATIVE_JUMP); \\\n"
    "    if (left <= 0) LEAVE(at, JRS_NATIVE_STEP); goto L##at; } while (0)\n"
    "#define CALL(at) do { n->left = left; const int next = n->call(n, at, lanes); if (next) return next; \\\n"
    "    limit = n->limit; if (full != (n->mask == UINT32_MAX)) { n->pc = (at) + 1; \\\n"
    "    return JRS_NATIVE_AGAIN; } if (!full) mask = n->mask; } while (0)\n"
    "#define BODY static inline __attribute__((always_inline)) int body(jrs_native *n, const bool full)\n"
    "#define BEGIN uint8_t *const frame = n->frame; const uint8_t *const K = n->constants; \\\n"
    "    uint32_t mask = full ? UINT32_MAX : n->mask, limit = n->limit; int32_t left = n->left; (void)K;\n"
    "#define KERNEL static __attribute__((noinline)) int all(jrs_native *n) { return body(n, true); } \\\n"
    "    static __attribute__((noinline)) int some(jrs_native *n) { return body(n, false); } \\\n"
    "    int jrs_native_kernel(jrs_native *n); \\\n"
    "    int jrs_native_kernel(jrs_native *n) { return n->mask == UINT32_MAX ? all(n) : some(n); }\n";

/* Without the lines that include others of these. */
static void put(jr_text *text, const char *header) {
    for (const char *line = header; *line;) {
        const size_t length = strcspn(line, "\n") + 1;
        if (strncmp(line, "#include \"", 10) != 0) jr_text_append_bytes(text, line, length);
        line += length;
    }
}

void jrs_native_text_begin(jr_text *text) {
    put(text, jrs_native_text_types);
    put(text, jrs_native_text_bits);
    put(text, jrs_native_text_abi);
    put(text, jrs_native_text_memory);
    jr_text_append(text, "%s", macros);
}
