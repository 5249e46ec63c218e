/* The peer CCCL C: device-wide reductions of CCCL's C library, libcccl.c.parallel.so, which compiles them at run time.
 *
 * Build: gcc -std=c11 -O2 -shared -fPIC -Itools/jitreduce -o peer_cccl_c.so tools/bench/peer_cccl_c.c -ldl
 * then:  PEER_CCCL_C=<wheel>/cuda/compute/cu13/cccl/libcccl.c.parallel.so \
 *        PEER_CCCL_INCLUDES=<wheel>/cuda/cccl/headers/include:/usr/local/cuda/include \
 *        jitreduce bench --peer ./peer_cccl_c.so
 * PEER_CCCL_C: the library in the unpacked PyPI wheel cuda-cccl, version 1.2.1: earlier ones have another interface.
 * PEER_CCCL_INCLUDES: one to four folders between colons: the headers of the same wheel, then those of a CUDA toolkit.
 * The loader must find libnvrtc.so.13 and libnvJitLink.so.13 (LD_LIBRARY_PATH).
 *
 * It does sum and min of f32, i32 and f64, by the operators that the library has itself, in its mode that gives the
 * same result on every run. Every failure is printed to standard error; the library prints its compile logs itself. */
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peer.h"

/* The library's interface, as its headers cccl/c/types.h and cccl/c/reduce.h describe it. Structs are passed by value,
 * so a wrong size would shift every later argument: all sizes are checked. */
enum { TYPE_INT32 = 2, TYPE_FLOAT32 = 9, TYPE_FLOAT64 = 10 };
enum { OP_PLUS = 2, OP_MINIMUM = 22 };
enum { ITERATOR_POINTER = 0, INIT_BY_VALUE = 0, SAME_ON_EVERY_RUN = 1, PAYLOAD_CUBIN = 1 };

typedef struct c_type {
    size_t size_bytes, alignment_bytes;
    int id;
} c_type;

/* Of an operator that the library knows only id is read. */
typedef struct c_op {
    int id;
    const char *name, *code;
    size_t code_bytes;
    int code_form;
    size_t state_bytes, state_alignment_bytes;
    void *state;
    const char **more_codes;
    size_t *more_code_bytes, more_code_count;
    int *more_code_forms;
} c_op;

typedef struct c_value {
    c_type type;
    void *data; /* host memory */
} c_value;

typedef struct c_iterator {
    size_t size_bytes, alignment_bytes;
    int kind;
    c_op advance, dereference;
    c_type value_type;
    void *data; /* the pointer itself */
    void (*host_advance)(void *, uint64_t);
} c_iterator;

typedef struct c_build {
    int capability; /* 90 */
    void *payload;
    size_t payload_bytes;
    int payload_kind;
    void *library;
    uint64_t accumulator_bytes;
    void *single_tile_kernel, *second_tile_kernel, *reduction_kernel;
    int determinism, init_kind;
    void *policy;
    size_t policy_bytes;
    char *kernel_names[3];
} c_build;

typedef struct c_config {
    const char **flags;
    size_t flag_count;
    const char **include_folders;
    size_t include_folder_count;
} c_config;

_Static_assert(sizeof(c_type) == 24 && sizeof(c_op) == 96 && sizeof(c_value) == 32 && sizeof(c_config) == 32,
               "sizes of the interface");
_Static_assert(sizeof(c_iterator) == 256 && offsetof(c_iterator, value_type) == 216, "an iterator's layout");
_Static_assert(sizeof(c_build) == 120 && offsetof(c_build, init_kind) == 76, "a build's layout");

/* All return CUresult. The driver's are found through the library, which is linked with it. */
#define FUNCTIONS(XX)                                                                                                  \
    XX(cuInit, (unsigned flags))                                                                                       \
    XX(cuGetErrorName, (int result, const char **name))                                                                \
    XX(cuDevicePrimaryCtxRetain, (void **context, int device))                                                         \
    XX(cuDevicePrimaryCtxRelease_v2, (int device))                                                                     \
    XX(cuCtxSetCurrent, (void *context))                                                                               \
    XX(cuDeviceGetAttribute, (int *value, int attribute, int device))                                                  \
    XX(cuMemAlloc_v2, (uint64_t * address, size_t bytes))                                                              \
    XX(cuMemFree_v2, (uint64_t address))                                                                               \
    XX(cccl_device_reduce_build_ex,                                                                                    \
       (c_build *, c_iterator in, c_iterator out, c_op, c_type init, int init_kind, int determinism, int major,        \
        int minor, const char *cub, const char *thrust, const char *libcudacxx, const char *toolkit, c_config *))      \
    XX(cccl_device_reduce, (c_build, void *temporary, size_t *temporary_bytes, c_iterator in, c_iterator out,          \
                            uint64_t count, c_op, c_value init, void *stream))                                         \
    XX(cccl_device_reduce_cleanup, (c_build *))

enum { CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 }; /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_* */
enum { FOLDERS = 4, OPTION_BYTES = 4096 };

typedef struct handle {
    void *file; /* dlopen's */
    int device;
    int retained; /* 1: the primary context is ours to release */
    c_build build;
    c_iterator in, out;
    c_op op;
    c_value init;
    double init_bits; /* storage of init.data: any of the types */
    const char *result;
    uint64_t temporary;
    size_t temporary_bytes;
    char includes[FOLDERS][OPTION_BYTES];
#define FIELD(name, parameters) int(*name) parameters;
    FUNCTIONS(FIELD)
#undef FIELD
} handle;

/* 0 for success; else prints which function failed and its number, and returns that. cccl_device_reduce hands on the
 * numbers of the CUDA runtime, too, which the driver does not know. */
static int check(const handle *h, int result, const char *function) {
    const char *name = NULL;
    if (result == 0) return 0;
    if (h->cuGetErrorName(result, &name) != 0 || name == NULL) name = "an error of the CUDA runtime";
    fprintf(stderr, "peer_cccl_c: %s returned %d (%s)\n", function, result, name);
    return result;
}
#define CHECK(h, function, ...) check((h), (h)->function(__VA_ARGS__), #function)

static const struct {
    const char *name;
    c_type type;
} types[] = {{"f32", {4, 4, TYPE_FLOAT32}}, {"i32", {4, 4, TYPE_INT32}}, {"f64", {8, 8, TYPE_FLOAT64}}};

/* Stores the operator's identity, where the result begins. */
static void fill_init(handle *h, int type) {
    const int minimum = h->op.id == OP_MINIMUM;
    const float f32 = minimum ? INFINITY : 0;
    const int32_t i32 = minimum ? INT32_MAX : 0;
    const double f64 = minimum ? (double)INFINITY : 0;
    if (type == TYPE_FLOAT32) memcpy(&h->init_bits, &f32, sizeof f32);
    if (type == TYPE_INT32) memcpy(&h->init_bits, &i32, sizeof i32);
    if (type == TYPE_FLOAT64) memcpy(&h->init_bits, &f64, sizeof f64);
    h->init.data = &h->init_bits;
}

/* Fills what describes the work to the library; 0 when this peer does not do it. */
static int describe(handle *h, const peer_work *work) {
    h->op.id = strcmp(work->op, "sum") == 0 ? OP_PLUS : strcmp(work->op, "min") == 0 ? OP_MINIMUM : 0;
    if (h->op.id == 0 || work->segment_count > 0) return 0;
    h->op.name = "";
    h->op.code = "";
    h->op.state_alignment_bytes = 1;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(work->type, types[i].name) == 0) {
            const c_type type = types[i].type;
            h->in = (c_iterator){.size_bytes = 8, .alignment_bytes = 8, .kind = ITERATOR_POINTER, .value_type = type};
            h->out = h->in;
            h->init.type = type;
            h->result = types[i].name;
            fill_init(h, type.id);
        }
    return h->result != NULL;
}

/* Writes the compiler's options for the folders; the last folder is given again where fewer than four are named. */
static int read_includes(handle *h) {
    const char *at = getenv("PEER_CCCL_INCLUDES");
    if (at == NULL || *at == '\0') {
        fprintf(stderr, "peer_cccl_c: PEER_CCCL_INCLUDES names no folders of headers\n");
        return 1;
    }
    for (int i = 0; i < FOLDERS; i++) {
        const int length = (int)strcspn(at, ":");
        snprintf(h->includes[i], OPTION_BYTES, "-I%.*s", length, at);
        if (at[length] == ':') at += length + 1;
    }
    return 0;
}

static int open_library(handle *h) {
    const char *path = getenv("PEER_CCCL_C"), *missing = NULL;
    if (path == NULL) {
        fprintf(stderr, "peer_cccl_c: PEER_CCCL_C does not name the library\n");
        return 1;
    }
    h->file = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (h->file == NULL) {
        fprintf(stderr, "peer_cccl_c: dlopen: %s\n", dlerror());
        return 1;
    }
#define FIND(name, parameters)                                                                                         \
    *(void **)&h->name = dlsym(h->file, #name);                                                                        \
    if (missing == NULL && h->name == NULL) missing = #name;
    FUNCTIONS(FIND)
#undef FIND
    if (missing != NULL) fprintf(stderr, "peer_cccl_c: %s has no function %s\n", path, missing);
    return missing != NULL;
}

static int open_device(handle *h) {
    void *context;
    if (CHECK(h, cuInit, 0) || CHECK(h, cuDevicePrimaryCtxRetain, &context, h->device)) return 1;
    h->retained = 1;
    return CHECK(h, cuCtxSetCurrent, context);
}

/* Compiles and loads. What comes back is looked at, because a library with another interface would not say so. */
static int build(handle *h) {
    static const char *flags[] = {"--no-cache"};
    c_config config = {.flags = flags, .flag_count = 1};
    c_build *made = &h->build;
    int major, minor;
    if (CHECK(h, cuDeviceGetAttribute, &major, CAPABILITY_MAJOR, h->device) ||
        CHECK(h, cuDeviceGetAttribute, &minor, CAPABILITY_MINOR, h->device))
        return 1;
    if (CHECK(h, cccl_device_reduce_build_ex, made, h->in, h->out, h->op, h->init.type, INIT_BY_VALUE,
              SAME_ON_EVERY_RUN, major, minor, h->includes[0], h->includes[1], h->includes[2], h->includes[3], &config))
        goto fail;
    if (made->capability == 10 * major + minor && made->payload_kind == PAYLOAD_CUBIN && made->library != NULL &&
        made->accumulator_bytes == h->init.type.size_bytes && made->determinism == SAME_ON_EVERY_RUN &&
        made->init_kind == INIT_BY_VALUE && made->reduction_kernel != NULL)
        return 0;
    fprintf(stderr,
            "peer_cccl_c: the library has another interface than cuda-cccl 1.2.1: capability %d, payload %d, "
            "accumulator %llu, determinism %d, init %d\n",
            made->capability, made->payload_kind, (unsigned long long)made->accumulator_bytes, made->determinism,
            made->init_kind);

fail: /* the library has cleaned up after itself, or wrote what it would not know */
    memset(made, 0, sizeof *made);
    return 1;
}

static int reduce(handle *h, const peer_work *work, void *stream) {
    memcpy(&h->in.data, &work->in[0], sizeof h->in.data); /* the interface has no const */
    h->out.data = work->out;
    return CHECK(h, cccl_device_reduce, h->build, (void *)(uintptr_t)h->temporary, &h->temporary_bytes, h->in, h->out,
                 work->count, h->op, h->init, stream);
}

static void release(void *opaque) {
    handle *h = opaque;
    if (h->temporary != 0) CHECK(h, cuMemFree_v2, h->temporary);
    if (h->build.payload != NULL) CHECK(h, cccl_device_reduce_cleanup, &h->build);
    if (h->retained) CHECK(h, cuDevicePrimaryCtxRelease_v2, h->device);
    free(h); /* the library stays open: NVRTC does not like to be closed */
}

/* Without temporary memory the library's call only writes how much it wants. */
static void *prepare(const peer_work *work) {
    handle *h = calloc(1, sizeof *h);
    if (h == NULL) return NULL;
    h->device = work->device;
    if (describe(h, work) && read_includes(h) == 0 && open_library(h) == 0 && open_device(h) == 0 && build(h) == 0 &&
        reduce(h, work, NULL) == 0 && CHECK(h, cuMemAlloc_v2, &h->temporary, h->temporary_bytes + 1) == 0)
        return h;
    release(h);
    return NULL;
}

static int run(void *opaque, const peer_work *work, void *stream) {
    return reduce(opaque, work, stream);
}

static const char *result(void *opaque) {
    return ((const handle *)opaque)->result;
}

const peer *peer_get(void) {
    static const peer self = {PEER_VERSION, "CCCL C library", prepare, run, release, result};
    return &self;
}
