/* Kernels that are shipped compiled: images for some architectures are written to a folder once, with NVRTC; the
 * program that loads them needs no NVRTC.
 *
 * usage: ship_images compile FOLDER      needs NVRTC, but no GPU
 *        ship_images run FOLDER          needs a device, but no NVRTC
 * cc ship_images.c $(pkg-config --cflags --libs jitreduce)
 *
 * Run: compile .
 * Run: run .
 * Prints:
 * compute_75.image
 * compute_90.image
 * 2 4 6 8
 */
#include <jitreduce.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024, FILE_BYTES_MAX = 1 << 20 };

static const char *const architectures[] = {"compute_75", "compute_90"}; /* PTX: newer devices run it, too */
static const int capabilities[] = {75, 90};
enum { ARCHITECTURES = 2 };

static const char source[] = "extern \"C\" __global__ void twice(int *x) { x[threadIdx.x] *= 2; }\n";

static FILE *open_file(const char *folder, int which, const char *mode) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.image", folder, architectures[which]);
    return fopen(path, mode);
}

static int compile(const char *folder) {
    const jr_program program = JR_INIT(jr_program, .name = "twice", .source = source, .entry = "twice");
    for (int i = 0; i < ARCHITECTURES; i++) {
        jr_image *image = NULL;
        size_t bytes = 0;
        if (jr_image_compile(NULL, &program, architectures[i], &image) != JR_OK) return 0;
        const void *data = jr_image_data(image, &bytes);
        FILE *file = open_file(folder, i, "wb");
        const int written = file != NULL && fwrite(data, 1, bytes, file) == bytes;
        if (file != NULL && fclose(file) == 0 && written) printf("%s.image\n", architectures[i]);
        jr_image_destroy(image);
    }
    return 1;
}

/* The newest image that is no newer than the device. */
static jr_status read_image(jr_context *context, const char *folder, jr_image **image) {
    static unsigned char data[FILE_BYTES_MAX];
    jr_device_info info = JR_INIT(jr_device_info);
    jr_status status = jr_context_device_info(context, &info);
    int which = ARCHITECTURES - 1;
    while (which > 0 && capabilities[which] > 10 * info.capability_major + info.capability_minor) which--;
    FILE *file = status == JR_OK ? open_file(folder, which, "rb") : NULL;
    const size_t bytes = file != NULL ? fread(data, 1, sizeof data, file) : 0;
    if (file != NULL) fclose(file);
    return status == JR_OK ? jr_image_read(data, bytes, image) : status;
}

static jr_status launch(jr_context *context, const jr_image *image) {
    const jr_launch four = JR_INIT(jr_launch, .grid = {1}, .block = {4});
    int x[4] = {1, 2, 3, 4};
    jr_kernel *kernel = NULL;
    void *d_x = NULL;
    jr_status status = jr_kernel_load(context, image, &kernel);
    if (status == JR_OK) status = jr_memory_new(context, sizeof x, &d_x);
    if (status == JR_OK) status = jr_memory_write(context, d_x, x, sizeof x);
    if (status == JR_OK) status = jr_kernel_launch(kernel, &four, (void *[]){&d_x});
    if (status == JR_OK) status = jr_memory_read(context, x, d_x, sizeof x);
    if (status == JR_OK) printf("%d %d %d %d\n", x[0], x[1], x[2], x[3]);
    jr_memory_free(context, d_x);
    return status;
}

static int run(const char *folder) {
    /* A path without NVRTC, to show that it is not needed. */
    const jr_options options = JR_INIT(jr_options, .device = "auto", .nvrtc = "/nowhere", .cache_dir = "");
    jr_context *context = NULL;
    jr_image *image = NULL;
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = read_image(context, folder, &image);
    if (status == JR_OK) status = launch(context, image);
    jr_image_destroy(image);
    jr_context_close(context);
    return status == JR_OK;
}

int main(int count, char **arguments) {
    if (count != 3) return fprintf(stderr, "usage: ship_images compile|run FOLDER\n"), 2;
    const int good = strcmp(arguments[1], "compile") == 0 ? compile(arguments[2]) : run(arguments[2]);
    if (!good) fprintf(stderr, "%s\n", jr_last_error()->message);
    return good ? 0 : 1;
}
