/* Writes C source on standard output that holds each file named on the command line as an array, a table of them, and
 * for each the others that it includes.
 *
 * Used by the Makefile to embed kernels_src/ into the library, each file with its SHA-256. The output depends on the
 * names and bytes alone. Every array ends with a NUL that its byte count leaves out, so that it is a string, too. */
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_LINE = 24, FILES_MAX = 1024 };

typedef struct embedded {
    const char *name;
    char *text;
    long count; /* bytes of the text */
} embedded;

static embedded files[FILES_MAX];
static int file_count;
static char includes[FILES_MAX][FILES_MAX]; /* [file][other]: also through others, in any branch */

/* "kernels_src/core/types.cuh" -> "core/types.cuh": as the includes name it. */
static const char *name_of(const char *path) {
    const char *slash = strchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Returns 0 when the file cannot be read. */
static int read_file(const char *path, embedded *made) {
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    made->name = name_of(path);
    if (!fseek(file, 0, SEEK_END)) made->count = ftell(file);
    rewind(file);
    made->text = made->count < 0 ? NULL : calloc((size_t)made->count + 1, 1);
    const int whole = made->text && fread(made->text, 1, (size_t)made->count, file) == (size_t)made->count;
    fclose(file);
    return whole;
}

/* ---- what includes what ---- */

/* The file that a line includes by its name in quotes; -1: none of these. */
static int included_by(const char *line) {
    static const char blanks[] = " \t";
    line += strspn(line, blanks);
    if (*line++ != '#') return -1;
    line += strspn(line, blanks);
    if (strncmp(line, "include", 7) != 0) return -1;
    line += 7 + strspn(line + 7, blanks);
    const size_t length = *line == '"' ? strcspn(line + 1, "\"\n") : 0;
    for (int i = 0; i < file_count; i++)
        if (strlen(files[i].name) == length && strncmp(files[i].name, line + 1, length) == 0) return i;
    return -1;
}

/* Marks what `from` includes as included by `file`. */
static void follow(int file, int from) {
    for (const char *line = files[from].text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const int other = included_by(line);
        if (other < 0 || includes[file][other]) continue;
        includes[file][other] = 1;
        follow(file, other);
    }
}

/* ---- writing ---- */

static void write_array(int index) {
    const embedded *file = &files[index];
    printf("static const unsigned char text_%d[] = {", index);
    for (long i = 0; i < file->count; i++)
        printf("%s%d,", i % BYTES_PER_LINE ? "" : "\n    ", (unsigned char)file->text[i]);
    printf("\n    0};\n");
}

static void write_row(int index, int first, int count) {
    const embedded *file = &files[index];
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX state;
    SHA256Init(&state);
    SHA256Update(&state, (const unsigned char *)file->text, (size_t)file->count);
    SHA256Final(digest, &state);
    printf("    {\"%s\", (const char *)text_%d, %ldu, {", file->name, index, file->count);
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i++) printf("%d,", digest[i]);
    printf("}, %d, %d},\n", first, count);
}

/* The table, and the list of what each row includes, by index. */
static void write_table(void) {
    static int firsts[FILES_MAX], counts[FILES_MAX];
    int listed = 0, most = 0;
    printf("\nconst unsigned short jr_embedded_includes[] = {");
    for (int i = 0; i < file_count; i++) {
        firsts[i] = listed;
        for (int other = 0; other < file_count; other++)
            if (includes[i][other]) printf("%s%d,", listed++ % BYTES_PER_LINE ? "" : "\n    ", other);
        counts[i] = listed - firsts[i];
        if (counts[i] > most) most = counts[i];
    }
    printf("\n    0};\nconst struct jr_embedded_source jr_embedded_sources[] = {\n");
    for (int i = 0; i < file_count; i++) write_row(i, firsts[i], counts[i]);
    if (file_count == 0) printf("    {\"\", \"\", 0, {0}, 0, 0},\n");
    printf("};\nconst size_t jr_embedded_source_count = %d;\n", file_count);
    printf("_Static_assert(%d <= JR_SOURCE_HEADERS_MAX, \"more headers than a program takes\");\n", most);
}

int main(int argc, char **argv) {
    if (argc > FILES_MAX) return 2;
    for (file_count = 0; file_count < argc - 1; file_count++) {
        if (!read_file(argv[file_count + 1], &files[file_count])) {
            fprintf(stderr, "embed: %s cannot be read\n", argv[file_count + 1]);
            return 1;
        }
    }
    printf("/* Made by tools/dev/embed.c from kernels_src; not to be edited. */\n#include \"program/sources.h\"\n\n");
    for (int i = 0; i < file_count; i++) {
        follow(i, i);
        includes[i][i] = 0;
        write_array(i);
    }
    write_table();
    return fflush(stdout) == EOF;
}
