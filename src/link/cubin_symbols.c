/* Reads ELF. Source: System V ABI, "Object Files"; for bit 4 of st_other (a kernel), the type of variables and the
 * flags: what readelf shows of ptxas's output of CUDA 12 and 13.
 */
#include "cubin_symbols.h"

#include <elf.h>
#include <string.h>

enum { CUDA_ENTRY = 0x10 };

typedef struct file {
    const unsigned char *bytes;
    size_t count;
} file;

static bool has(const file *of, uint64_t at, uint64_t bytes) {
    return at <= of->count && bytes <= of->count - at;
}

/* Section i; false: it is not there. */
static bool read_section(const file *of, const Elf64_Ehdr *head, uint64_t i, Elf64_Shdr *section) {
    if (i >= head->e_shnum || head->e_shentsize != sizeof *section) return false;
    if (head->e_shoff > of->count || !has(of, head->e_shoff + i * sizeof *section, sizeof *section)) return false;
    memcpy(section, of->bytes + head->e_shoff + i * sizeof *section, sizeof *section);
    return section->sh_type == SHT_NOBITS || has(of, section->sh_offset, section->sh_size);
}

static bool visit_symbols(const file *of, const Elf64_Ehdr *head, const Elf64_Shdr *symbols, jr_cubin_visit *visit,
                          void *user) {
    enum { CUDA_OBJECT = 13 }; /* STT_CUDA_OBJECT: a variable */
    Elf64_Shdr names;
    if (!read_section(of, head, symbols->sh_link, &names) || names.sh_type != SHT_STRTAB) return false;
    for (uint64_t i = 0; i < symbols->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, of->bytes + symbols->sh_offset + i * sizeof symbol, sizeof symbol);
        const int type = ELF64_ST_TYPE(symbol.st_info);
        const bool strong = ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL;
        if ((type != STT_FUNC && type != STT_OBJECT && type != CUDA_OBJECT) || symbol.st_shndx == SHN_UNDEF) continue;
        if (symbol.st_name >= names.sh_size) return false;
        const char *name = (const char *)of->bytes + names.sh_offset + symbol.st_name;
        if (memchr(name, '\0', names.sh_size - symbol.st_name) == NULL) return false;
        if (!visit(user, name, type == STT_FUNC && (symbol.st_other & CUDA_ENTRY) != 0, strong)) return false;
    }
    return true;
}

static bool read_head(const file *of, Elf64_Ehdr *head) {
    if (!has(of, 0, sizeof *head)) return false;
    memcpy(head, of->bytes, sizeof *head);
    return memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64;
}

/* From version 8 of its ABI on (CUDA 13) the architecture stands one byte higher in the flags. */
bool jr_cubin_look(const void *cubin, size_t bytes, int *architecture, bool *relocatable) {
    enum { HIGHER_SINCE = 8 };
    const file of = {cubin, bytes};
    Elf64_Ehdr head;
    if (!read_head(&of, &head)) return false;
    *architecture = (int)(head.e_flags >> (head.e_ident[EI_ABIVERSION] >= HIGHER_SINCE ? 8 : 0) & 0xff);
    *relocatable = head.e_type == ET_REL;
    return true;
}

bool jr_cubin_each(const void *cubin, size_t bytes, jr_cubin_visit *visit, void *user) {
    const file of = {cubin, bytes};
    Elf64_Ehdr head;
    if (!read_head(&of, &head)) return false;
    for (uint64_t i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr section;
        if (!read_section(&of, &head, i, &section)) return false;
        if (section.sh_type == SHT_SYMTAB && !visit_symbols(&of, &head, &section, visit, user)) return false;
    }
    return true;
}

static bool add_kernel(void *user, const char *name, bool is_kernel, bool is_strong) {
    jr_text *list = user;
    (void)is_strong;
    if (is_kernel) jr_text_append(list, "%s%s", list->length > 0 ? "; " : "", name);
    return true;
}

bool jr_cubin_kernels(const void *cubin, size_t bytes, jr_text *list) {
    return jr_cubin_each(cubin, bytes, add_kernel, list);
}
