/* Writes C source on standard output that holds each file named on the command line as an array, and a table of them.
 *
 * Used by the Makefile to embed kernels_src/ into the library. The output depends on the names and bytes alone. Every
 * array ends with a NUL that its byte count leaves out, so that it is a string, too. */
#include <stdio.h>
#include <string.h>

enum { BYTES_PER_LINE = 24 };

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Writes one array and returns how many bytes the file has, -1 when it cannot be read. */
static long write_array(const char *path, int index) {
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    long count = 0;
    printf("static const unsigned char text_%d[] = {", index);
    for (int byte = fgetc(file); byte != EOF; byte = fgetc(file), count++)
        printf("%s%d,", count % BYTES_PER_LINE ? "" : "\n    ", byte);
    printf("\n    0};\n");
    int failed = ferror(file);
    fclose(file);
    return failed ? -1 : count;
}

int main(int argc, char **argv) {
    static long counts[1024];
    if (argc > (int)(sizeof counts / sizeof counts[0])) return 2;
    printf("/* Made by tools/dev/embed.c from kernels_src; not to be edited. */\n#include \"program/sources.h\"\n\n");
    for (int i = 1; i < argc; i++) {
        counts[i] = write_array(argv[i], i);
        if (counts[i] < 0) {
            fprintf(stderr, "embed: %s cannot be read\n", argv[i]);
            return 1;
        }
    }
    printf("\nconst struct jr_embedded_source jr_embedded_sources[] = {\n");
    for (int i = 1; i < argc; i++)
        printf("    {\"%s\", (const char *)text_%d, %ldu},\n", base_name(argv[i]), i, counts[i]);
    if (argc < 2) printf("    {\"\", \"\", 0},\n");
    printf("};\nconst size_t jr_embedded_source_count = %d;\n", argc - 1);
    return fflush(stdout) == EOF;
}
