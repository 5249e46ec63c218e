/* Fat binaries: what jr_image_write gives is what NVIDIA's fatbinary writes, and the driver takes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fixtures/open_context.h"

static const char source[] = "extern \"C\" __global__ void fill(int *x) {\n    x[threadIdx.x] = threadIdx.x * 3;\n}\n";

static jr_image *image_of(const char *text, const char *architecture) {
    const jr_program program = JR_INIT(jr_program, .name = "fill.cu", .source = text);
    jr_image *image = NULL;
    works(jr_image_compile(NULL, &program, architecture, &image));
    return image;
}

static unsigned char *write_all(const jr_image *const *images, size_t count, size_t *size) {
    works(jr_image_write(images, count, NULL, 0, size));
    unsigned char *bytes = test_bytes(*size);
    memset(bytes, 0x5a, *size);
    works(jr_image_write(images, count, bytes, *size, size));
    return bytes;
}

static void store(const char *folder, const char *name, const void *bytes, size_t count) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/* fatbinary takes the comments of PTX away, so this has none. */
static jr_image *store_ptx(const char *folder) {
    static const char ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry fill()\n{\nret;\n}\n";
    jr_image *image = NULL;
    works(jr_image_read_ptx(ptx, "fill", &image));
    store(folder, "ptx", ptx, sizeof ptx - 1);
    return image;
}

TEST(it_has_the_bytes_that_fatbinary_writes) {
    static const char tool[] = "/usr/local/cuda/bin/fatbinary";
    char folder[] = "/tmp/fatbin.XXXXXX", command[2048], path[512];
    if (access(tool, X_OK) != 0) skip_because("there is no %s\n", tool);
    const char *const architectures[] = {"sm_80", "sm_90", "sm_90a"};
    jr_image *images[4];
    size_t size = 0, elf = 0;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++) {
        images[i] = image_of(source, architectures[i]);
        const void *bytes = jr_image_cubin(images[i], &elf);
        store(folder, architectures[i], bytes, elf);
    }
    images[3] = store_ptx(folder);
    unsigned char *own = write_all((const jr_image *const *)images, 4, &size);
    snprintf(command, sizeof command,
             "cd %s && %s --create=f -64 --compress=false --image3=kind=elf,sm=80,file=sm_80 "
             "--image3=kind=elf,sm=90,file=sm_90 --image3=kind=elf,sm=90a,file=sm_90a --image3=kind=ptx,sm=80,file=ptx",
             folder, tool);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): the tool is the judge */
    snprintf(path, sizeof path, "%s/f", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    unsigned char *theirs = test_bytes(size + 1);
    assert_int_equal(fread(theirs, 1, size + 1, file), size);
    fclose(file);
    assert_memory_equal(own, theirs, size);
    for (int i = 0; i < 4; i++) jr_image_destroy(images[i]);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

/* On a GPU the driver takes the machine code for it, or compiles the PTX; the simulator runs the PTX. */
static void runs(const opened *device, const char *const *architectures, size_t count) {
    jr_image *images[4];
    jr_cu_module module = NULL;
    jr_cu_function function = NULL;
    int values[32];
    size_t size = 0;
    for (size_t i = 0; i < count; i++) images[i] = image_of(source, architectures[i]);
    unsigned char *bytes = write_all((const jr_image *const *)images, count, &size);
    const jr_driver *driver = &device->driver;
    drives(driver->cuModuleLoadData(&module, bytes));
    drives(driver->cuModuleGetFunction(&function, module, "fill"));
    void *memory = device_new(device, sizeof values), *arguments[] = {&memory};
    drives(driver->cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
    device_read(device, values, memory, sizeof values);
    for (int i = 0; i < 32; i++) assert_int_equal(values[i], i * 3);
    drives(driver->cuModuleUnload(module));
    for (size_t i = 0; i < count; i++) jr_image_destroy(images[i]);
}

TEST(the_driver_takes_what_fits_the_device) {
    static const char *const many[] = {"sm_80", "sm_90", "compute_80", "compute_75"};
    static const char *const ptx[] = {"compute_80"};
    runs(*state, many, 4);
    runs(*state, ptx, 1);
}

TEST(what_does_not_belong_together_is_refused_by_name) {
    static const char other[] = "extern \"C\" __global__ void other(int *x) { *x = 1; }\n";
    jr_image *images[] = {image_of(source, "compute_80"), image_of(source, "compute_80"),
                          image_of(other, "compute_90")};
    const jr_image *const twice[] = {images[0], images[1]}, *const two_kernels[] = {images[0], images[2]},
                          *const none[] = {NULL};
    unsigned char little[64];
    size_t size = 7;
    assert_int_equal(jr_image_write(twice, 2, NULL, 0, &size), JR_ERROR_INVALID_ARGUMENT);
    assert_told("images[0] and images[1] are both for compute_80");
    assert_int_equal(jr_image_write(two_kernels, 2, NULL, 0, &size), JR_ERROR_INVALID_ARGUMENT);
    assert_told("images[1] has the kernel other, and images[0] has fill");
    assert_int_equal(jr_image_write(none, 1, NULL, 0, &size), JR_ERROR_INVALID_ARGUMENT);
    assert_told("images[0] is NULL");
    assert_int_equal(jr_image_write(twice, 0, NULL, 0, &size), JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(jr_image_write(twice, 1, little, sizeof little, &size), JR_ERROR_INVALID_ARGUMENT);
    assert_told("there is room for 64");
    assert_int_equal(jr_image_write(twice, 1, NULL, 64, &size), JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(size, 7);
    for (int i = 0; i < 3; i++) jr_image_destroy(images[i]);
}

RUN_TESTS(open_context, close_context)
