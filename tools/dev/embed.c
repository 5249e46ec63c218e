/* Writes C source on standard output that holds each file named on the command line as an array, and a table of them.
 *
 * Used by the Makefile to embed kernels_src/ into the library, each file with its SHA-256. The output depends on the
 * names and bytes alone. Every array ends with a NUL that its byte count leaves out, so that it is a string, too. */
#include <sha2.h>
#include <stdio.h>
#include <string.h>

enum { BYTES_PER_LINE = 24 };

/* "kernels_src/core/types.cuh" -> "core/types.cuh": as the includes name it. */
static const char *name_of(const char *path) {
    const char *slash = strchr(path, '/');
    return slash ? slash + 1 : path;
}

typedef struct embedded {
    long count; /* bytes of the file */
    unsigned char digest[SHA256_DIGEST_LENGTH];
} embedded;

/* Writes one array; returns 0 when the file cannot be read. */
static int write_array(const char *path, int index, embedded *made) {
    FILE *file = fopen(path, "rb");
    SHA2_CTX state;
    if (!file) return 0;
    long count = 0;
    SHA256Init(&state);
    printf("static const unsigned char text_%d[] = {", index);
    for (int byte = fgetc(file); byte != EOF; byte = fgetc(file), count++) {
        printf("%s%d,", count % BYTES_PER_LINE ? "" : "\n    ", byte);
        SHA256Update(&state, &(unsigned char){(unsigned char)byte}, 1);
    }
    printf("\n    0};\n");
    made->count = count;
    SHA256Final(made->digest, &state);
    int failed = ferror(file);
    fclose(file);
    return !failed;
}

static void write_row(const char *path, int index, const embedded *made) {
    printf("    {\"%s\", (const char *)text_%d, %ldu, {", name_of(path), index, made->count);
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i++) printf("%d,", made->digest[i]);
    printf("}},\n");
}

/* As jr_sources_headers has it: what is no .cu. */
static int is_header(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && dot[1] != '\0' && strcmp(dot, ".cu") != 0;
}

int main(int argc, char **argv) {
    static embedded made[1024];
    int header_count = 0;
    if (argc > (int)(sizeof made / sizeof made[0])) return 2;
    printf("/* Made by tools/dev/embed.c from kernels_src; not to be edited. */\n#include \"program/sources.h\"\n\n");
    for (int i = 1; i < argc; i++) {
        if (!write_array(argv[i], i, &made[i])) {
            fprintf(stderr, "embed: %s cannot be read\n", argv[i]);
            return 1;
        }
    }
    printf("\nconst struct jr_embedded_source jr_embedded_sources[] = {\n");
    for (int i = 1; i < argc; i++) write_row(argv[i], i, &made[i]);
    for (int i = 1; i < argc; i++) header_count += is_header(argv[i]);
    if (argc < 2) printf("    {\"\", \"\", 0, {0}},\n");
    printf("};\nconst size_t jr_embedded_source_count = %d;\n", argc - 1);
    printf("_Static_assert(%d <= JR_SOURCE_HEADERS_MAX, \"more headers than a program takes\");\n", header_count);
    return fflush(stdout) == EOF;
}
