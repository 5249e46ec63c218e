/* The binary interface of DLPack (https://dmlc.github.io/dlpack, 1.2), as far as it is used here: with it, array
 * libraries exchange the addresses and layouts of arrays. Names are ours, layouts and numbers are DLPack's. */
#ifndef PYTHON_DLPACK_H
#define PYTHON_DLPACK_H

#include <stdint.h>

/* Where memory is. */
typedef enum dl_device_type {
    DL_CPU = 1,
    DL_CUDA = 2,
    DL_CUDA_HOST = 3,  /* pinned */
    DL_EXTENSION = 12, /* for tests of new devices: here the simulator's */
    DL_CUDA_MANAGED = 13
} dl_device_type;

typedef struct dl_device {
    int32_t type, id;
} dl_device;

/* Kinds of elements. */
enum {
    DL_INT = 0,
    DL_UINT = 1,
    DL_FLOAT = 2,
    DL_BFLOAT = 4,
    DL_COMPLEX = 5,
    DL_BOOL = 6,
    DL_E4M3FN = 10,
    DL_E5M2 = 12
};

typedef struct dl_type {
    uint8_t code, bits;
    uint16_t lanes;
} dl_type;

typedef struct dl_tensor {
    void *data;
    dl_device device;
    int32_t dimensions;
    dl_type type;
    int64_t *shape, *strides; /* strides in elements; NULL before 1.2: C order */
    uint64_t offset_bytes;
} dl_tensor;

typedef struct dl_version {
    uint32_t major, minor;
} dl_version;

enum { DL_MAJOR = 1, DL_MINOR = 2 };
enum { DL_READ_ONLY = 1 };

/* Who has one owns it: deleter, which may be NULL, lets go of it. */
typedef struct dl_managed {
    dl_version version;
    void *self;
    void (*deleter)(struct dl_managed *managed);
    uint64_t flags;
    dl_tensor tensor;
} dl_managed;

/* The same before version 1. */
typedef struct dl_legacy {
    dl_tensor tensor;
    void *self;
    void (*deleter)(struct dl_legacy *managed);
} dl_legacy;

/* The functions of a class of arrays, to which its `__dlpack_c_exchange_api__` points. No function synchronises. */
typedef struct dl_exchange {
    dl_version version;
    struct dl_exchange *older; /* of another major version; NULL: none */
    int (*allocate)(dl_tensor *like, dl_managed **made, void *context,
                    void (*fail)(void *context, const char *kind, const char *message));
    int (*export)(void *object, dl_managed **exported);
    int (*import)(dl_managed *stolen, void **object);
    int (*borrow)(void *object, dl_tensor *seen); /* may be NULL; valid until control goes back */
    int (*current_stream)(dl_device_type type, int32_t id, void **stream);
} dl_exchange;

#endif
