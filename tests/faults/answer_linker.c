/* A stand-in of the driver's linker and of nvJitLink for PTX: what it links is an ELF file that has the names of all
 * kernels, and no code. A test compiles it to a library.
 *
 * A part with the word UNKNOWN is refused when it is added, one with MEMORY for want of memory, and one with MISSING
 * when all are linked. Text must end in a NUL for the driver's functions, as the driver's own wants it. What was linked
 * is overwritten when its link ends. answer_linker_links: how many have not ended. */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_PTX = 218, NAMES_BYTES = 1024, KERNELS_MAX = 16 };
enum { DRIVER_PTX = 1, NVJITLINK_PTX = 2, DRIVER_LOG = 5, DRIVER_LOG_BYTES = 6, KERNEL_BIT = 0x10 };

typedef struct image {
    Elf64_Ehdr head;
    Elf64_Shdr sections[3];
    Elf64_Sym symbols[KERNELS_MAX];
    char names[NAMES_BYTES];
} image;

typedef struct link {
    image linked;
    int kernels;
    size_t names_bytes;
    const char *missing; /* the part that has MISSING; its name lives as long as the link */
    char log[256], *driver_log;
} link;

int answer_linker_links;

static void say(link *it, const char *text, const char *name) {
    snprintf(it->log, sizeof it->log, "%s in '%s'", text, name);
    if (it->driver_log != NULL) snprintf(it->driver_log, sizeof it->log, "%s", it->log);
}

static link *link_begin(void) {
    link *it = calloc(1, sizeof *it);
    if (it == NULL) return NULL;
    it->names_bytes = 1;
    answer_linker_links++;
    return it;
}

static void link_end(link *it) {
    memset(it, 0x5a, sizeof *it);
    free(it);
    answer_linker_links--;
}

static int add(link *it, const char *text, const char *name) {
    static const char mark[] = ".visible .entry ";
    if (strstr(text, "MEMORY") != NULL) return OUT_OF_MEMORY;
    if (strstr(text, "UNKNOWN") != NULL) {
        say(it, "an unknown instruction", name);
        return INVALID_PTX;
    }
    if (strstr(text, "MISSING") != NULL) it->missing = name;
    for (const char *at = strstr(text, mark); at != NULL && it->kernels < KERNELS_MAX; at = strstr(at, mark)) {
        at += sizeof mark - 1;
        const size_t length = strcspn(at, "( \n");
        if (it->names_bytes + length + 1 > NAMES_BYTES) return INVALID_VALUE;
        it->linked.symbols[it->kernels++] = (Elf64_Sym){.st_name = (Elf64_Word)it->names_bytes,
                                                        .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                                        .st_other = KERNEL_BIT,
                                                        .st_shndx = 1};
        memcpy(it->linked.names + it->names_bytes, at, length);
        it->names_bytes += length + 1;
    }
    return SUCCESS;
}

static int complete(link *it) {
    if (it->missing != NULL) {
        say(it, "undefined reference", it->missing);
        return INVALID_PTX;
    }
    memcpy(it->linked.head.e_ident, ELFMAG, SELFMAG);
    it->linked.head.e_ident[EI_CLASS] = ELFCLASS64;
    it->linked.head.e_type = ET_EXEC;
    it->linked.head.e_shoff = offsetof(image, sections);
    it->linked.head.e_shentsize = sizeof(Elf64_Shdr);
    it->linked.head.e_shnum = 3;
    it->linked.sections[1] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                                          .sh_offset = offsetof(image, symbols),
                                          .sh_size = (Elf64_Xword)it->kernels * sizeof(Elf64_Sym),
                                          .sh_link = 2};
    it->linked.sections[2] =
        (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = offsetof(image, names), .sh_size = it->names_bytes};
    return SUCCESS;
}

/* ---- the driver's ---- */

int cuLinkCreate_v2(unsigned count, const int *options, void **values, link **state) {
    *state = link_begin();
    if (*state == NULL) return OUT_OF_MEMORY;
    for (unsigned i = 0; i < count; i++)
        if (options[i] == DRIVER_LOG) (*state)->driver_log = values[i];
    return SUCCESS;
}

int cuLinkAddData_v2(link *state, int kind, const char *data, size_t bytes, const char *name, unsigned count,
                     const int *options, void **values) {
    (void)count, (void)options, (void)values;
    if (kind != DRIVER_PTX || bytes == 0 || data[bytes - 1] != '\0') return INVALID_VALUE;
    return add(state, data, name);
}

int cuLinkComplete(link *state, void **cubin, size_t *bytes) {
    *cubin = &state->linked;
    *bytes = sizeof state->linked;
    return complete(state);
}

int cuLinkDestroy(link *state) {
    link_end(state);
    return SUCCESS;
}

/* ---- nvJitLink's ---- */

int nvJitLinkCreate(link **state, uint32_t count, const char **options) {
    if (count != 1 || strcmp(options[0], "-arch=sm_90") != 0) return INVALID_VALUE;
    *state = link_begin();
    return *state != NULL ? SUCCESS : OUT_OF_MEMORY;
}

int nvJitLinkDestroy(link **state) {
    link_end(*state);
    *state = NULL;
    return SUCCESS;
}

int nvJitLinkAddData(link *state, int kind, const void *data, size_t bytes, const char *name) {
    char *text = kind == NVJITLINK_PTX ? strndup(data, bytes) : NULL;
    const int result = text != NULL ? add(state, text, name) : INVALID_VALUE;
    free(text);
    return result;
}

int nvJitLinkComplete(link *state) {
    return complete(state);
}

int nvJitLinkGetLinkedCubinSize(link *state, size_t *bytes) {
    *bytes = sizeof state->linked;
    return SUCCESS;
}

int nvJitLinkGetLinkedCubin(link *state, void *cubin) {
    memcpy(cubin, &state->linked, sizeof state->linked);
    return SUCCESS;
}

int nvJitLinkGetErrorLogSize(link *state, size_t *bytes) {
    *bytes = strlen(state->log) + 1;
    return SUCCESS;
}

int nvJitLinkGetErrorLog(link *state, char *log) {
    memcpy(log, state->log, strlen(state->log) + 1);
    return SUCCESS;
}
